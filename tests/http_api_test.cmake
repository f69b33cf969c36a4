# Fails when docs/http-api.md leaves out a route that the server has.
#
#   cmake -DLAMINA_ROOT=<source tree> -P http_api_test.cmake
cmake_minimum_required(VERSION 3.25)

file(READ ${LAMINA_ROOT}/docs/http-api.md page)
file(STRINGS ${LAMINA_ROOT}/server/src/route_table.cc lines
  REGEX "^ *{\"[A-Z]+\", \"/")
if(NOT lines)
  message(FATAL_ERROR "no route found in server/src/route_table.cc")
endif()

foreach(line ${lines})
  string(REGEX REPLACE "^ *{\"([A-Z]+)\", \"([^\"]+)\".*" "\\1 `\\2`" route
    "${line}")
  # As the page writes it: C is a collection's path.
  string(REPLACE "`/collections/{c}" "`C" route "${route}")
  string(REPLACE "{c}" "{name}" route "${route}")
  string(FIND "${page}" "${route}" position)
  if(position EQUAL -1)
    message(SEND_ERROR "docs/http-api.md does not have ${route}")
  endif()
endforeach()
