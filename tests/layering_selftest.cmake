# Shows that layering_test.cmake can fail: writes small trees with one fault
# each, and demands that the fault is named.
#
#   cmake -DWORK_DIR=<scratch> -P layering_selftest.cmake
cmake_minimum_required(VERSION 3.25)

set(layering_test ${CMAKE_CURRENT_LIST_DIR}/layering_test.cmake)

# A tree that keeps the rules.
function(write_good_tree)
  file(REMOVE_RECURSE ${WORK_DIR})
  foreach(header
      engine/include/lamina/database.h engine/include/lamina/store.h
      engine/src/local_collection.h engine/src/search/flat_scan.h
      engine/src/kernels/kernels.h server/protocol/query_json.h
      server/src/router.h client/include/lamina/client.h bench/src/clock.h
      tests/support/random.h)
    file(WRITE ${WORK_DIR}/${header} "#pragma once\n#include <string>\n")
  endforeach()
endfunction()

function(run_layering_test exit_code output)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DLAMINA_ROOT=${WORK_DIR} -P ${layering_test}
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${exit_code} ${code} PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(expect_fault includer included message)
  write_good_tree()
  file(APPEND ${WORK_DIR}/${includer} "#include ${included}\n")
  run_layering_test(code text)
  string(FIND "${text}" "${includer}: ${message}" position)
  if(code EQUAL 0 OR position EQUAL -1)
    message(SEND_ERROR "${includer} with ${included}: expected \
\"${message}\", got exit code ${code} and:\n${text}")
  endif()
endfunction()

function(expect_allowed includer included)
  write_good_tree()
  file(APPEND ${WORK_DIR}/${includer} "#include ${included}\n")
  run_layering_test(code text)
  if(NOT code EQUAL 0)
    message(SEND_ERROR "${includer} with ${included} was refused:\n${text}")
  endif()
endfunction()

expect_allowed(engine/src/local_collection.h "\"search/flat_scan.h\"")
expect_allowed(server/src/router.h "\"lamina/database.h\"")
expect_allowed(server/src/httplib_transport.cc "<httplib.h>")
expect_allowed(client/src/client.cc "\"protocol/query_json.h\"")
expect_allowed(bench/src/main.cc "\"search/flat_scan.h\"")

# Parts.
expect_fault(engine/src/types/status.cc "\"lamina/database.h\""
  "types may not include")
expect_fault(engine/src/database.cc "\"protocol/query_json.h\""
  "engine may not include")
expect_fault(engine/include/lamina/database.h "\"local_collection.h\""
  "api may not include")
expect_fault(server/protocol/query_json.cc "\"lamina/database.h\""
  "protocol may not include")
expect_fault(server/src/router.cc "\"local_collection.h\""
  "server may not include")
expect_fault(client/src/client.cc "<lamina/database.h>"
  "client may not include")
expect_fault(client/src/client.cc "\"../../server/src/router.h\""
  "client may not include")
expect_fault(server/src/main.cc "\"clock.h\"" "server may not include")
expect_fault(bench/src/main.cc "\"support/random.h\"" "bench may not include")

# Rooms of the engine.
expect_fault(engine/src/search/flat_scan.cc "\"local_collection.h\""
  "engine/src/search may not include")
expect_fault(engine/src/kernels/portable.cc "\"search/flat_scan.h\""
  "engine/src/kernels may not include")
expect_fault(engine/src/attic/old.cc "\"search/flat_scan.h\""
  "engine/src/attic is in no table")

# Libraries.
expect_fault(engine/src/search/flat_scan.cc "<faiss/IndexFlat.h>"
  "<faiss/IndexFlat.h> may only be included by")
expect_fault(engine/src/search/flat_scan.cc "<immintrin.h>"
  "<immintrin.h> may only be included by")
expect_fault(server/src/router.cc "  <httplib.h>"
  "<httplib.h> may only be included by")
expect_fault(client/src/client.cc "<boost/asio.hpp>"
  "<boost/asio.hpp> may only be included by")
expect_fault(server/src/router.cc "<sys/socket.h>"
  "<sys/socket.h> may only be included by")
expect_fault(client/src/client.cc "<curl/curl.h>"
  "<curl/curl.h> is in no table")

# A tree without sources is a wrong path, not a clean tree.
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
run_layering_test(code text)
if(code EQUAL 0)
  message(SEND_ERROR "an empty tree passed")
endif()
