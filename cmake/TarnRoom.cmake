# tarn_room(NAME DEPENDS room... LIBS target...)
#
# Makes the static library tarn_<NAME> of every .cc below the calling folder (main.cc left out: it
# belongs to a program). DEPENDS are the rooms it may include from, and with LIBS what it links;
# `base` and `model` may be used by every room and need not be named. tools/tidy.py reads these
# lines: they are the one place where the arrows between rooms are drawn. `formats` among the rooms
# stands for every room below format/. A room without any .cc is an interface library, so an empty
# room configures too.
function(tarn_room NAME)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LIBS" ${ARGN})
  if(ROOM_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tarn_room(${NAME}): unknown words: ${ROOM_UNPARSED_ARGUMENTS}")
  endif()

  set(_rooms ${ROOM_DEPENDS})
  if(NOT NAME STREQUAL "base")
    list(APPEND _rooms base)
    if(NOT NAME STREQUAL "model")
      list(APPEND _rooms model)
    endif()
  endif()
  if("formats" IN_LIST _rooms)
    list(REMOVE_ITEM _rooms formats)
    list(TRANSFORM TARN_FORMAT_ROOMS REPLACE "^format/" "" OUTPUT_VARIABLE _formats)
    list(APPEND _rooms ${_formats})
  endif()
  list(REMOVE_DUPLICATES _rooms)
  list(TRANSFORM _rooms PREPEND tarn_)
  foreach(_room ${_rooms})
    if(NOT TARGET ${_room})
      message(FATAL_ERROR "tarn_room(${NAME}): room '${_room}' does not exist (yet)")
    endif()
  endforeach()

  file(GLOB_RECURSE _sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  list(FILTER _sources EXCLUDE REGEX "/main\\.cc$")
  if(_sources)
    add_library(tarn_${NAME} STATIC ${_sources})
    target_link_libraries(tarn_${NAME} PUBLIC tarn_options ${_rooms} ${ROOM_LIBS})
    tarn_unity(tarn_${NAME} ${_sources})
  else()
    add_library(tarn_${NAME} INTERFACE)
    target_link_libraries(tarn_${NAME} INTERFACE tarn_options ${_rooms} ${ROOM_LIBS})
  endif()
endfunction()

# tarn_program(NAME source LIBS target...): an executable in the root of the build folder. It finds
# its libraries through RPATH, so it runs from there without an environment. Nothing is made while
# the source does not exist.
function(tarn_program NAME SOURCE)
  cmake_parse_arguments(PROGRAM "" "" "LIBS" ${ARGN})
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${SOURCE})
    return()
  endif()
  add_executable(${NAME} ${SOURCE})
  target_link_libraries(${NAME} PRIVATE tarn_options ${PROGRAM_LIBS})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()
