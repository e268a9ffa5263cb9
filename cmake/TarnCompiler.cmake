# How everything of ours is compiled and linked: the language, warnings, sanitizers, and the tools
# that make a build faster where they are present (ccache, mold).

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # a Python module will link the rooms
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-g")  # a preset may add -O1 by CMAKE_CXX_FLAGS

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

# Objects are found again from another build folder or another clone: ccache sees relative paths.
find_program(TARN_CCACHE ccache)
if(TARN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(_launcher /usr/bin/env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${TARN_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${_launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_launcher})
endif()

find_program(TARN_MOLD mold)
if(TARN_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Compile options of ours, for rooms, tests and programs alike.
add_library(tarn_options INTERFACE)
# Designated initialisers leave out on purpose the fields that keep their defaults.
target_compile_options(tarn_options INTERFACE -Wall -Wextra -Werror -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Middle-end warnings of g++ 12 which std::variant, std::optional and std::string set off in code
  # that is right (GCC bugs 80635, 105329, 105562). clang and the sanitizers look for the same.
  target_compile_options(tarn_options INTERFACE -Wno-maybe-uninitialized -Wno-restrict
                         -Wno-stringop-overflow -Wno-array-bounds -Wno-dangling-pointer)
endif()
target_include_directories(tarn_options INTERFACE ${PROJECT_SOURCE_DIR}/src)

if(TARN_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "Fuzz targets need clang: cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)  # coverage of the rooms guides the fuzzer
endif()

if(TARN_SANITIZE)
  # Line numbers in reports, by paths that are the same in every clone, so that ccache hits.
  add_compile_options(-fsanitize=${TARN_SANITIZE} -fno-omit-frame-pointer -g1
                      -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
  add_link_options(-fsanitize=${TARN_SANITIZE})
  if(TARN_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
    # Foreign types cross library borders without their type information (DuckDB is prebuilt).
    add_compile_options(-fno-sanitize=vptr)
  endif()
endif()
