# Finds Arrow C++ inside an installed `pyarrow` wheel. The wheel has headers and libraries but
# neither CMake files nor unversioned .so names, so each library is linked by its full path.
#
# Input:  PYARROW_DIR, the folder of the Python package (default: .venv of this tree).
# Result: PyArrow::arrow, PyArrow::compute, PyArrow::acero, PyArrow::dataset, PyArrow::parquet,
#         PyArrow::s3, as far as the wheel has them.
if(NOT PYARROW_DIR)
  file(GLOB _candidates ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/pyarrow)
  if(_candidates)
    list(GET _candidates 0 PYARROW_DIR)
  endif()
endif()

if(PYARROW_DIR AND EXISTS ${PYARROW_DIR}/include/arrow/util/config.h)
  file(STRINGS ${PYARROW_DIR}/include/arrow/util/config.h _so REGEX "define ARROW_SO_VERSION")
  string(REGEX MATCH "[0-9]+" PYARROW_SOVERSION "${_so}")
  file(STRINGS ${PYARROW_DIR}/include/arrow/util/config.h _v REGEX "define ARROW_VERSION_STRING")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" PyArrowCpp_VERSION "${_v}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PyArrowCpp REQUIRED_VARS PYARROW_DIR PYARROW_SOVERSION
                                  VERSION_VAR PyArrowCpp_VERSION)

if(PyArrowCpp_FOUND)
  foreach(_library arrow arrow_compute arrow_acero arrow_dataset parquet arrow_s3)
    string(REGEX REPLACE "^arrow_" "" _name ${_library})
    set(_file ${PYARROW_DIR}/lib${_library}.so.${PYARROW_SOVERSION})
    if(EXISTS ${_file} AND NOT TARGET PyArrow::${_name})
      add_library(PyArrow::${_name} SHARED IMPORTED GLOBAL)
      set_target_properties(PyArrow::${_name} PROPERTIES
        IMPORTED_LOCATION ${_file}
        IMPORTED_SONAME lib${_library}.so.${PYARROW_SOVERSION}
        INTERFACE_INCLUDE_DIRECTORIES ${PYARROW_DIR}/include
        INTERFACE_COMPILE_FEATURES cxx_std_20)
    endif()
  endforeach()
  foreach(_name compute parquet s3)
    if(TARGET PyArrow::${_name})
      set_property(TARGET PyArrow::${_name} PROPERTY INTERFACE_LINK_LIBRARIES PyArrow::arrow)
    endif()
  endforeach()
  set_property(TARGET PyArrow::acero PROPERTY INTERFACE_LINK_LIBRARIES PyArrow::compute)
  set_property(TARGET PyArrow::dataset PROPERTY
               INTERFACE_LINK_LIBRARIES PyArrow::acero PyArrow::parquet)
endif()
