# Fails when the settings in docs/server.md are not those of the program.
#
#   cmake -DLAMINA_ROOT=<source tree> -DSERVER=<lamina-server> -P server_page_test.cmake
cmake_minimum_required(VERSION 3.25)

file(READ ${LAMINA_ROOT}/docs/server.md page)
execute_process(COMMAND ${SERVER} --help OUTPUT_VARIABLE help
  COMMAND_ERROR_IS_FATAL ANY)

# "--port UINT=6333 (Env:LAMINA_PORT)": name and default of what is a setting.
string(REGEX MATCHALL "\n  --[^\n]*\\(Env:LAMINA_[A-Z_]+\\)" lines "${help}")
set(settings)
foreach(line ${lines})
  string(REGEX MATCH "--[a-z-]+" name "${line}")
  if(name STREQUAL "--config")
    continue()
  endif()
  list(APPEND settings ${name})
  set(cell "")
  # A default is what follows the last '=' that is outside of brackets.
  string(REGEX REPLACE "\\([^()]*=[^()]*\\)" "" plain "${line}")
  if(plain MATCHES "=([^ =]+) \\(Env")
    set(cell "`${CMAKE_MATCH_1}` ")
  endif()
  string(FIND "${page}" "\n| `${name}` | ${cell}|" position)
  if(position EQUAL -1)
    message(SEND_ERROR "docs/server.md has no row | `${name}` | ${cell}|")
  endif()
endforeach()
if(NOT settings)
  message(FATAL_ERROR "no setting found in the help text")
endif()

string(REGEX MATCHALL "\n\\| `--[a-z-]+`" rows "${page}")
foreach(row ${rows})
  string(REGEX MATCH "--[a-z-]+" name "${row}")
  if(NOT name IN_LIST settings)
    message(SEND_ERROR "docs/server.md has ${name}, the program has not")
  endif()
endforeach()
