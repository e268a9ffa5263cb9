# Unity builds: several sources of a target are compiled as one. Most of the time of a small file
# goes into headers that its neighbours include too, so a tree is built from nothing in a fraction
# of the time.
#
# What a file keeps to itself (anonymous namespaces, `using`) is seen by the others it is compiled
# with, so such names are unique within a room. Includes that a neighbour lends by chance are found
# by `make tidy`, which compiles changed files alone, as -DTARN_UNITY=OFF does with all of them.
option(TARN_UNITY "Compile several sources of a target as one" ON)

# tarn_unity(TARGET file...): which sources of a target are compiled together is drawn from their
# names, not their positions: a new file moves no other. Files in which bugs can be planted stay
# alone, because the linker has to take a planted one in their place.
function(tarn_unity TARGET)
  if(NOT TARN_UNITY)
    return()
  endif()
  list(LENGTH ARGN _files)
  set(_groups 1)
  while(_files GREATER 12)  # 1, 4 or 16 groups
    math(EXPR _files "${_files} / 4")
    math(EXPR _groups "${_groups} * 4")
  endwhile()
  foreach(_file ${ARGN})
    get_filename_component(_path ${_file} ABSOLUTE)
    file(STRINGS ${_path} _planted REGEX "^#include \"tarn/base/planted_bug.h\"")
    get_filename_component(_name ${_file} NAME_WE)
    string(MD5 _hash ${_name})
    string(SUBSTRING ${_hash} 0 1 _digit)
    math(EXPR _group "0x${_digit} % ${_groups}")
    if(_planted)
      set_source_files_properties(${_file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      set_source_files_properties(${_file} PROPERTIES UNITY_GROUP ${TARGET}_${_group})
    endif()
  endforeach()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes a file compiled with others for a header and warns of its private types.
    target_compile_options(${TARGET} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
