# Fails when a source is not as .clang-format wants it. Needs no git.
#
#   cmake -DLAMINA_ROOT=<source tree> -P format_test.cmake
cmake_minimum_required(VERSION 3.25)

find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
if(NOT CLANG_FORMAT)
  message("SKIPPED: clang-format is not installed")
  return()
endif()

set(globs)
foreach(folder engine server client bench tests)
  list(APPEND globs "${LAMINA_ROOT}/${folder}/*.h"
    "${LAMINA_ROOT}/${folder}/*.cc" "${LAMINA_ROOT}/${folder}/*.inc")
endforeach()
file(GLOB_RECURSE sources ${globs})
if(NOT sources)
  message(FATAL_ERROR "no source found below ${LAMINA_ROOT}")
endif()

execute_process(
  COMMAND ${CLANG_FORMAT} --style=file --dry-run -Werror ${sources}
  RESULT_VARIABLE exit_code)
if(NOT exit_code EQUAL 0)
  message(FATAL_ERROR "run clang-format -i on the files named above")
endif()
