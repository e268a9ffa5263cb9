# Finds DuckDB with its C++ interface: headers and a library of one and the same version (the C++
# interface changes with every release).
#
# Input:  DUCKDB_ROOT, a folder with include/ (duckdb.hpp) and lib/ or the library itself:
#         libduckdb.so or static *.a. Default: third_party/duckdb, which tools/setup.sh fills from
#         the Python wheel (library) and source archive (headers) of that version.
# Result: DuckDB::duckdb      the library and its own headers
#         DuckDB::extensions  the same, and the headers of the built-in extensions (parquet, json,
#                             core_functions), which bring foreign ones of common names along
#
# The wheel's library is a Python extension module that exports all of DuckDB's symbols. It also
# refers to Python's, for its own Python half, which nobody calls here: libtarn_python_stubs.so
# answers to those names so that an ordinary program links and starts. It is a library of its own,
# named by the programs that link DuckDB::duckdb, so that a Python module can do without it.
if(NOT DUCKDB_ROOT)
  set(DUCKDB_ROOT ${PROJECT_SOURCE_DIR}/third_party/duckdb)
endif()

find_path(DuckDB_INCLUDE_DIR duckdb.hpp PATHS ${DUCKDB_ROOT}/include ${DUCKDB_ROOT}/src/include
          ${DUCKDB_ROOT} NO_DEFAULT_PATH)
find_library(DuckDB_LIBRARY NAMES tarn_duckdb duckdb PATHS ${DUCKDB_ROOT}/lib ${DUCKDB_ROOT}
             NO_DEFAULT_PATH)
if(NOT DuckDB_LIBRARY)
  file(GLOB DuckDB_STATIC_LIBRARIES ${DUCKDB_ROOT}/lib/*.a ${DUCKDB_ROOT}/*.a)
  if(DuckDB_STATIC_LIBRARIES)
    list(GET DuckDB_STATIC_LIBRARIES 0 DuckDB_LIBRARY)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR)

if(DuckDB_FOUND AND NOT TARGET DuckDB::duckdb)
  add_library(DuckDB::duckdb INTERFACE IMPORTED GLOBAL)
  set_target_properties(DuckDB::duckdb PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                        ${DuckDB_INCLUDE_DIR})
  find_package(Threads REQUIRED)
  target_link_libraries(DuckDB::duckdb INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Without it linkers report TableFunctionCatalogEntry::Name as a duplicate symbol.
    target_compile_options(DuckDB::duckdb INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  endif()

  if(DuckDB_STATIC_LIBRARIES)
    target_link_libraries(DuckDB::duckdb INTERFACE
      -Wl,--start-group ${DuckDB_STATIC_LIBRARIES} -Wl,--end-group)
  else()
    add_library(DuckDB::library SHARED IMPORTED GLOBAL)
    set_target_properties(DuckDB::library PROPERTIES
      IMPORTED_LOCATION ${DuckDB_LIBRARY} IMPORTED_NO_SONAME TRUE)
    target_link_libraries(DuckDB::duckdb INTERFACE DuckDB::library)
    if(EXISTS ${DUCKDB_ROOT}/lib/libtarn_python_stubs.so)
      add_library(DuckDB::python_stubs SHARED IMPORTED GLOBAL)
      set_target_properties(DuckDB::python_stubs PROPERTIES
        IMPORTED_LOCATION ${DUCKDB_ROOT}/lib/libtarn_python_stubs.so
        IMPORTED_SONAME libtarn_python_stubs.so)
      # No object of ours names these symbols: the linker must be told to keep the library.
      target_link_libraries(DuckDB::duckdb INTERFACE
        -Wl,--push-state,--no-as-needed DuckDB::python_stubs -Wl,--pop-state)
    endif()
  endif()

  set(_includes)
  foreach(_extension include_parquet include_core_functions include_json include_third_party)
    if(EXISTS ${DUCKDB_ROOT}/${_extension})
      list(APPEND _includes ${DUCKDB_ROOT}/${_extension})
    endif()
  endforeach()
  add_library(DuckDB::extensions INTERFACE IMPORTED GLOBAL)
  set_target_properties(DuckDB::extensions PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_includes}")
  target_link_libraries(DuckDB::extensions INTERFACE DuckDB::duckdb)
endif()
