# Finds DuckDB with its C++ interface: headers and a library of one and the same version (the C++
# interface changes with every release).
#
# Input:  DUCKDB_ROOT (variable or environment), an installed DuckDB or its source tree with a build:
#         include/ or src/include/, and libduckdb.so or static *.a. It is refused when the library's
#         version is another. Without it: DuckDB below /usr/local if its version fits, else
#         third_party/duckdb, which tools/setup.sh fills from the Python wheel (library) and source
#         archive (headers).
# Result: DuckDB::duckdb      the library and its own headers
#         DuckDB::extensions  the same, and the headers of the built-in extensions (parquet, json,
#                             core_functions), which bring foreign ones of common names along
#
# The wheel's library is a Python extension module that exports all of DuckDB's symbols. It also
# refers to Python's, for its own Python half, which nobody calls here: libtarn_python_stubs.so
# answers to those names so that an ordinary program links and starts. It is a library of its own,
# named by the programs that link DuckDB::duckdb, so that a Python module can do without it.
set(TARN_DUCKDB_VERSION 1.5.5)
set(_bundled ${PROJECT_SOURCE_DIR}/third_party/duckdb)
if(NOT DUCKDB_ROOT AND DEFINED ENV{DUCKDB_ROOT})
  set(DUCKDB_ROOT $ENV{DUCKDB_ROOT})
endif()

# Sets DuckDB_LIBRARY and DuckDB_INCLUDE_DIR to what lies below `root`; unset if anything is missing
# or the version differs. The version stands in no header: it is looked for in the library.
function(_duckdb_in root)
  unset(_include CACHE)
  unset(_library CACHE)
  find_path(_include duckdb/common/multi_file/multi_file_reader.hpp NO_DEFAULT_PATH
            PATHS ${root}/include ${root}/src/include)
  find_library(_library NAMES tarn_duckdb duckdb NO_DEFAULT_PATH
               PATHS ${root}/lib ${root} ${root}/build/release/src)
  if(NOT _library)
    file(GLOB _archives ${root}/lib/*duckdb*.a ${root}/*duckdb*.a)
    if(_archives)
      list(GET _archives 0 _library)
    endif()
  endif()
  if(_include AND _library)
    execute_process(COMMAND grep -q -a -F "v${TARN_DUCKDB_VERSION}" ${_library}
                    RESULT_VARIABLE _differs)
    if(_differs)
      message(STATUS "DuckDB at ${root} is not ${TARN_DUCKDB_VERSION}")
    else()
      set(DuckDB_INCLUDE_DIR ${_include} PARENT_SCOPE)
      set(DuckDB_LIBRARY ${_library} PARENT_SCOPE)
    endif()
  endif()
  unset(_include CACHE)
  unset(_library CACHE)
endfunction()

if(DUCKDB_ROOT)
  set(_roots ${DUCKDB_ROOT})
else()
  set(_roots /usr/local ${_bundled})
endif()
unset(DuckDB_LIBRARY)
unset(DuckDB_LIBRARY CACHE)
unset(DuckDB_INCLUDE_DIR)
unset(DuckDB_INCLUDE_DIR CACHE)
foreach(_root ${_roots})
  if(NOT DuckDB_LIBRARY)
    _duckdb_in(${_root})
    set(_found_root ${_root})
  endif()
endforeach()
if(DuckDB_LIBRARY MATCHES "\\.a$")
  get_filename_component(_folder ${DuckDB_LIBRARY} DIRECTORY)
  file(GLOB DuckDB_STATIC_LIBRARIES ${_folder}/*.a)
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
    if(EXISTS ${_found_root}/lib/libtarn_python_stubs.so)
      add_library(DuckDB::python_stubs SHARED IMPORTED GLOBAL)
      set_target_properties(DuckDB::python_stubs PROPERTIES
        IMPORTED_LOCATION ${_found_root}/lib/libtarn_python_stubs.so
        IMPORTED_SONAME libtarn_python_stubs.so)
      # No object of ours names these symbols: the linker must be told to keep the library.
      target_link_libraries(DuckDB::duckdb INTERFACE
        -Wl,--push-state,--no-as-needed DuckDB::python_stubs -Wl,--pop-state)
    endif()
  endif()

  # `make install` of DuckDB leaves the extensions' headers out: then those that setup fetched.
  set(_includes)
  foreach(_extension parquet core_functions json third_party)
    foreach(_candidate ${_found_root}/include_${_extension}
                       ${_found_root}/extension/${_extension}/include
                       ${_bundled}/include_${_extension})
      if(EXISTS ${_candidate})
        list(APPEND _includes ${_candidate})
        break()
      endif()
    endforeach()
  endforeach()
  add_library(DuckDB::extensions INTERFACE IMPORTED GLOBAL)
  set_target_properties(DuckDB::extensions PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_includes}")
  target_link_libraries(DuckDB::extensions INTERFACE DuckDB::duckdb)
endif()
