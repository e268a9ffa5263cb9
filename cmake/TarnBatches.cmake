# Sources compiled in batches (CMake's unity builds): most of the time of a small file goes into
# headers that its neighbours include too, so a tree from nothing builds four times as fast.
#
# What a file keeps to itself (anonymous namespaces, `using`) is seen by the others of its batch, so
# such names are unique within a room. Includes that a neighbour lends by chance are found by
# clang-tidy and by builds with -DTARN_BATCHES=OFF, which compile each file alone.
option(TARN_BATCHES "Compile the sources of a target in batches" ON)

# tarn_batches(TARGET file...): sets the batches of a target's sources. The batch is drawn from the
# file's name, not its position: a new file moves no other. Files in which bugs can be planted stay
# alone, because the linker has to take a planted one in their place.
function(tarn_batches TARGET)
  if(NOT TARN_BATCHES)
    return()
  endif()
  list(LENGTH ARGN _files)
  set(_batches 1)
  while(_files GREATER 12)  # 1, 4 or 16 batches
    math(EXPR _files "${_files} / 4")
    math(EXPR _batches "${_batches} * 4")
  endwhile()
  foreach(_file ${ARGN})
    get_filename_component(_path ${_file} ABSOLUTE)
    file(STRINGS ${_path} _planted REGEX "^#include \"tarn/base/planted_bug.h\"")
    get_filename_component(_name ${_file} NAME_WE)
    string(MD5 _hash ${_name})
    string(SUBSTRING ${_hash} 0 1 _digit)
    math(EXPR _batch "0x${_digit} % ${_batches}")
    if(_planted)
      set_source_files_properties(${_file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      set_source_files_properties(${_file} PROPERTIES UNITY_GROUP ${TARGET}_${_batch})
    endif()
  endforeach()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes a batched file for a header and warns of its private types.
    target_compile_options(${TARGET} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
