# Unit tests: tests/unit/<folder of the room>/**/*.cc become the program <room>_test.
# Other kinds (contract, sim, crash, fuzz) have a CMakeLists.txt in their own folder.

if(TARN_TESTS)
  find_package(GTest REQUIRED)
endif()

# Where the shared cases and fixtures lie. Tests read it from the environment.
if(DEFINED ENV{TARN_SHARED})
  set(TARN_SHARED_DIR $ENV{TARN_SHARED})
else()
  get_filename_component(TARN_SHARED_DIR ${PROJECT_SOURCE_DIR}/../shared ABSOLUTE)
endif()

# The environment of every test, as a list for set_tests_properties.
set(TARN_TEST_ENVIRONMENT
  TARN_SHARED=${TARN_SHARED_DIR}
  TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tools/tsan.supp:second_deadlock_stack=1
  ASAN_OPTIONS=detect_odr_violation=0
  LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tools/lsan.supp:print_suppressions=0
  UBSAN_OPTIONS=print_stacktrace=1)

# tarn_add_test(NAME SOURCES file... LIBS target... [LABELS label...] [TIMEOUT seconds])
#
# A gtest program registered with ctest under NAME. Tests run in the root of the source tree and
# write only below a temporary folder.
function(tarn_add_test NAME)
  cmake_parse_arguments(TEST "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 600)
  endif()
  add_executable(${NAME} ${TEST_SOURCES})
  # Tests run once after each build: not worth optimising. It is the rooms that the sanitizers watch;
  # in the tests themselves they would take half of the time of compiling.
  target_compile_options(${NAME} PRIVATE -O0)
  if(TARN_SANITIZE MATCHES "undefined")
    target_compile_options(${NAME} PRIVATE -fno-sanitize=undefined -g0)
  endif()
  tarn_unity(${NAME} ${TEST_SOURCES})
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PRIVATE tarn_options ${TEST_LIBS} GTest::gmock GTest::gtest
                        GTest::gtest_main)
  add_test(NAME ${NAME} COMMAND ${NAME} --gtest_brief=1
           --gtest_output=xml:${CMAKE_BINARY_DIR}/test-results/${NAME}.xml
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${NAME} PROPERTIES ENVIRONMENT "${TARN_TEST_ENVIRONMENT}"
                       TIMEOUT ${TEST_TIMEOUT} LABELS "${TEST_LABELS}")
  tarn_built_for("${TEST_LABELS}" ${NAME})
endfunction()

# tarn_built_for(LABELS target): `ninja tests_<label>` builds the target. So a part of the tests can
# be built and run alone: ninja tests_sim && ctest -L sim.
function(tarn_built_for LABELS TARGET)
  foreach(_label ${LABELS})
    if(NOT TARGET tests_${_label})
      add_custom_target(tests_${_label})
    endif()
    add_dependencies(tests_${_label} ${TARGET})
  endforeach()
endfunction()

# tarn_unit_test(ROOM [FOLDER folder] [LIBS target...]): FOLDER is below tests/unit, default ROOM.
function(tarn_unit_test ROOM)
  cmake_parse_arguments(TEST "" "FOLDER" "LIBS" ${ARGN})
  if(NOT TEST_FOLDER)
    set(TEST_FOLDER ${ROOM})
  endif()
  file(GLOB_RECURSE _sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${TEST_FOLDER}/*.cc)
  if(_sources)
    tarn_add_test(${ROOM}_test SOURCES ${_sources} LIBS tarn_${ROOM} ${TEST_LIBS} LABELS unit)
  endif()
endfunction()
