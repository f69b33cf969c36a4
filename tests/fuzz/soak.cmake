# Lets libFuzzer drive each target for long, one process at a time, and writes
# what came of it as JSON.
#
#   cmake -DFUZZERS=<program> -DWORK_DIR=<scratch> -DJSON=<file>
#         [-DRUNS=<executions of each>] [-DSECONDS=<at most, for each>]
#         -P soak.cmake
#
# What was found worth keeping stays in WORK_DIR/<target>/corpus, where the next
# run goes on, and the inputs of findings in WORK_DIR/<target>. Fails when there
# is a finding.
cmake_minimum_required(VERSION 3.25)

if(NOT RUNS)
  set(RUNS 10000000)
endif()
if(NOT SECONDS)
  set(SECONDS 3600)
endif()

# Sets `result` to what `pattern` finds last in the text, or to 0.
function(find_last text pattern result)
  string(REGEX MATCHALL "${pattern}" found "${text}")
  set(number 0)
  if(found)
    list(GET found -1 last)
    string(REGEX REPLACE "${pattern}" "\\1" number "${last}")
  endif()
  set(${result} ${number} PARENT_SCOPE)
endfunction()

# Sets `entry` to the JSON of a target, and `code` to what its process gave.
function(run_target name most_bytes what entry code)
  set(home ${WORK_DIR}/${name})
  file(MAKE_DIRECTORY ${home}/corpus)
  execute_process(
    COMMAND ${FUZZERS} ${name} --seeds ${home}/seeds ${home}/words
    COMMAND_ERROR_IS_FATAL ANY)
  string(TIMESTAMP begin %s UTC)
  # An input is small, so whatever asks for much memory believes a number in it.
  execute_process(
    COMMAND ${FUZZERS} ${name} -dict=${home}/words -max_len=${most_bytes}
      -runs=${RUNS} -max_total_time=${SECONDS} -seed=1 -timeout=20
      -malloc_limit_mb=8 -rss_limit_mb=2048 -print_final_stats=1
      -artifact_prefix=${home}/ ${home}/corpus ${home}/seeds
    OUTPUT_FILE ${home}/log ERROR_FILE ${home}/log
    RESULT_VARIABLE outcome)
  string(TIMESTAMP end %s UTC)
  math(EXPR seconds "${end} - ${begin}")
  file(STRINGS ${home}/log lines REGEX "stat::|cov: ")
  find_last("${lines}" "number_of_executed_units: +([0-9]+)" executions)
  find_last("${lines}" "cov: ([0-9]+)" edges)
  find_last("${lines}" "peak_rss_mb: +([0-9]+)" rss)
  set(findings 0)
  if(NOT outcome EQUAL 0)
    set(findings 1)
    message(NOTICE "${name}: a finding, see ${home}/log")
  endif()
  message(NOTICE "${name}: ${executions} executions in ${seconds} s")
  set(${entry} "{\"target\":\"${name}\",\"what\":\"${what}\",\
\"executions\":${executions},\"seconds\":${seconds},\"edges\":${edges},\
\"peak_rss_mb\":${rss},\"findings\":${findings}}" PARENT_SCOPE)
  set(${code} ${outcome} PARENT_SCOPE)
endfunction()

execute_process(COMMAND ${FUZZERS} --targets OUTPUT_VARIABLE targets
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n$" "" targets "${targets}")
string(REPLACE ";" "," targets "${targets}")
string(REPLACE "\n" ";" targets "${targets}")
string(TIMESTAMP started "%Y-%m-%dT%H:%M:%SZ" UTC)
cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)

set(entries "")
set(failed FALSE)
foreach(target ${targets})
  string(REGEX MATCH "^([a-z_]+)\\|([0-9]+)\\|(.*)$" parts "${target}")
  run_target(${CMAKE_MATCH_1} ${CMAKE_MATCH_2} "${CMAKE_MATCH_3}" entry code)
  if(entries)
    string(APPEND entries ",\n")
  endif()
  string(APPEND entries "${entry}")
  if(NOT code EQUAL 0)
    set(failed TRUE)
  endif()
  file(WRITE ${JSON} "{\"schema\":\"lamina-fuzz/1\",\
\"started_utc\":\"${started}\",\"processors\":${processors},\
\"targets\":[\n${entries}]}\n")
endforeach()
if(failed)
  message(FATAL_ERROR "there are findings")
endif()
