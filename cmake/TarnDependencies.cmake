# Third-party libraries. Versions are pinned by tools/setup.sh; an Arrow 26 or a DuckDB that is
# already installed is taken first: find_package(Arrow), -DPYARROW_DIR=, -DDUCKDB_ROOT=.

set(TARN_ARROW_VERSION 26)

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

if(NOT PYARROW_DIR)
  find_package(Arrow ${TARN_ARROW_VERSION} CONFIG QUIET)
  find_package(Parquet ${TARN_ARROW_VERSION} CONFIG QUIET)
endif()
if(Arrow_FOUND AND Parquet_FOUND)
  message(STATUS "Arrow ${Arrow_VERSION} as installed")
  add_library(PyArrow::arrow ALIAS Arrow::arrow_shared)
  add_library(PyArrow::parquet ALIAS Parquet::parquet_shared)
  find_package(ArrowCompute ${TARN_ARROW_VERSION} CONFIG REQUIRED)
  add_library(PyArrow::compute ALIAS ArrowCompute::arrow_compute_shared)
else()
  find_package(PyArrowCpp ${TARN_ARROW_VERSION})
  if(NOT PyArrowCpp_FOUND)
    message(FATAL_ERROR "Arrow C++ ${TARN_ARROW_VERSION} not found. Run 'make setup' first, or "
                        "name an installed one: -DPYARROW_DIR=<folder of the pyarrow package>.")
  endif()
endif()

find_package(DuckDB)
if(NOT DuckDB_FOUND)
  message(FATAL_ERROR "DuckDB with C++ headers not found. Run 'make setup' first, or name one: "
                      "-DDUCKDB_ROOT=<folder with include/ and lib/>.")
endif()

find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(roaring REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(date REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(PQ REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(EDIT REQUIRED IMPORTED_TARGET libedit)
