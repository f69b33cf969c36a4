# Fails when the embed example in README.md is not the code that tests/consumer
# compiles and runs.
#
#   cmake -DLAMINA_ROOT=<source tree> -P readme_test.cmake
cmake_minimum_required(VERSION 3.25)

# Text between two lines, without indentation and empty lines.
function(read_between file first last result)
  file(READ ${file} text)
  string(FIND "${text}" "${first}" start)
  if(start EQUAL -1)
    message(FATAL_ERROR "${file} has no line \"${first}\"")
  endif()
  string(LENGTH "${first}" skip)
  math(EXPR start "${start} + ${skip}")
  string(SUBSTRING "${text}" ${start} -1 text)
  string(FIND "${text}" "${last}" length)
  if(length EQUAL -1)
    message(FATAL_ERROR "${file} has no line \"${last}\" after \"${first}\"")
  endif()
  string(SUBSTRING "${text}" 0 ${length} text)
  string(REGEX REPLACE "\n[ \n]*" "\n" text "${text}")
  string(STRIP "${text}" text)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

read_between(${LAMINA_ROOT}/README.md
  "```cpp\n#include <lamina/database.h>\n" "```" shown)
read_between(${LAMINA_ROOT}/tests/consumer/embed.cc
  "// README begin" "// README end" compiled)
if(NOT shown STREQUAL compiled)
  message(FATAL_ERROR "README.md shows\n${shown}\n\nbut tests/consumer/embed.cc "
    "compiles\n${compiled}")
endif()
