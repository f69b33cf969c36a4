# Runs the quick peers and looks into the result file.
#
#   cmake -DBENCH=<lamina-bench> -DRESULT=<file> -P peers_quick.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(
  COMMAND ${BENCH} peers --quick --json ${RESULT}
  RESULT_VARIABLE code OUTPUT_QUIET)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "lamina-bench peers ended with ${code}")
endif()

file(READ ${RESULT} json)
string(JSON schema GET "${json}" schema)
if(NOT schema STREQUAL "lamina-peers/1")
  message(FATAL_ERROR "schema is ${schema}")
endif()

string(JSON count LENGTH "${json}" rows)
math(EXPR last "${count} - 1")
set(names)
foreach(i RANGE ${last})
  string(JSON name GET "${json}" rows ${i} name)
  string(JSON recall GET "${json}" rows ${i} recall_at_10)
  string(JSON p50 GET "${json}" rows ${i} query_us_p50)
  list(APPEND names "${name}")
  if(name MATCHES "^lamina" AND NOT recall EQUAL 1)
    message(FATAL_ERROR "${name} has recall ${recall}")
  endif()
  if(recall LESS 0.999 OR NOT p50 GREATER 0)
    message(FATAL_ERROR "${name} has recall ${recall}, p50 ${p50} us")
  endif()
endforeach()
foreach(name "lamina flat" "lamina flat, 1 % match, indexed" "lamina flat batch 100" "lamina flat portable"
    "faiss flat" "faiss flat batch 100" "openblas sgemv"
    "openblas sgemm batch 100")
  if(NOT name IN_LIST names)
    message(FATAL_ERROR "no row ${name} among: ${names}")
  endif()
endforeach()
