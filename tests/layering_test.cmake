# Fails when an #include points the wrong way, or when a library is included
# outside the few files that may know it.
#
#   cmake -DLAMINA_ROOT=<source tree> -P layering_test.cmake
#
# To allow a new edge, change the tables below: they are the architecture.
cmake_minimum_required(VERSION 3.25)

# The tables.

# Part of a path, first match wins: pairs of pattern and name.
set(part_patterns
  "^engine/include/lamina/database\\.h$"  api
  "^engine/include/"                      types
  "^engine/src/types/"                    types
  "^engine/src/io/"                       io
  "^engine/src/"                          engine
  "^engine/tool/"                         tool
  "^server/protocol/"                     protocol
  "^server/"                              server
  "^client/"                              client
  "^bench/"                               bench
  "^tests/"                               tests)

# What each part may include beside itself.
set(may_see_types    "")
set(may_see_io       types)
set(may_see_api      types)
set(may_see_engine   types api)
set(may_see_protocol types)
set(may_see_server   types api protocol)
set(may_see_client   types protocol)
set(may_see_tool     types io api engine protocol client)
set(may_see_bench    types io api engine protocol server client)
set(may_see_tests    types io api engine protocol server client tool bench)

# Inside engine/src: a folder, or a file that stands beside the folders, and
# what it may include. Nothing points up, so no cycle can arise.
set(engine_may_see_check care database_layout collection_files point_table
  storage)
set(engine_may_see_salvage care database_layout collection_files row_batch
  point_table storage)
set(engine_may_see_care collection_files)
set(engine_may_see_database database_layout guarded_collection local_collection
  upkeep allocation_guard storage)
set(engine_may_see_database_layout storage)
set(engine_may_see_guarded_collection allocation_guard)
set(engine_may_see_allocation_guard "")
set(engine_may_see_local_collection_reads local_collection listing)
set(engine_may_see_local_collection collection_files graph_builder graph_file
  upkeep row_batch point_query point_table search filter rows storage
  allocation_guard)
set(engine_may_see_collection_files point_table storage)
set(engine_may_see_row_batch rows storage)
set(engine_may_see_upkeep "")
set(engine_may_see_graph_builder graph_file search rows)
set(engine_may_see_graph_file search rows storage)
set(engine_may_see_point_query point_table search filter rows kernels)
set(engine_may_see_point_table search filter rows storage)
set(engine_may_see_listing search rows)
set(engine_may_see_filter search rows)
set(engine_may_see_search rows kernels)
set(engine_may_see_rows kernels)
set(engine_may_see_storage "")
set(engine_may_see_kernels "")

# Every header that is not C++'s own, and who may include it: pairs of patterns.
set(library_table
  "^faiss/"
    "^engine/src/faiss_bridge/|^bench/src/arms/|^tests/engine/"
  "^(cblas|omp)\\.h$"
    "^engine/src/search/batch_scan\\.cc$|^engine/src/library_threads\\.cc$|^bench/src/|^tests/engine/"
  "^(immintrin|arm_neon|cpuid|nmmintrin)\\.h$"
    "^engine/src/kernels/|^engine/src/storage/crc32c\\.cc$"
  "^(unistd|fcntl|dirent|poll|netdb|signal|sched|spawn|pthread|malloc|stdlib|strings|time)\\.h$|^(sys/[^a]|netinet/|arpa/|linux/)"
    "^engine/src/storage/(file_posix|directory_lock)\\.cc$|^engine/tool/terminal\\.cc$|^server/src/(bounded_stream|connection_server|descriptor|lifecycle|listener|lobby|process_facts|service_manager|state_file|main)\\.(h|cc)$|^client/src/tcp_socket\\.cc$|^bench/src/|^tests/"
  "^(asm/hwcap|sys/auxv)\\.h$"
    "^engine/src/kernels/kernels\\.cc$"
  "^rapidjson/"
    "^engine/src/types/json_(reader|writer)\\.cc$"
  "^httplib\\.h$"
    "^server/src/(httplib_transport\\.cc|bounded_stream\\.(h|cc))$|^bench/src/arms/|^tests/(server|conformance|end_to_end|support)/"
  "^openssl/(crypto|sha)\\.h$"
    "^server/src/api_keys\\.cc$"
  "^boost/"
    "^client/src/beast_transport\\.cc$"
  "^hnswlib/"
    "^bench/src/arms/"
  "^doctest/"
    "^tests/"
  "^CLI/"
    "(^|/)main\\.cc$|^server/src/configuration\\.cc$")

# Where a quoted include is looked for, after the includer's own folder and the
# roots of its own part.
set(roots_types    engine/include engine/src)
set(roots_api      engine/include)
set(roots_io       engine/src)
set(roots_engine   engine/src)
set(roots_protocol server server/protocol)
set(roots_server   server/src server)
set(roots_client   client/include client/src)
set(roots_tool     engine/tool)
set(roots_bench    bench/src bench)
set(roots_tests    tests)
set(all_roots engine/include engine/src server server/src client/include
  client/src bench/src bench tests)

# The walk.

function(find_part path result)
  set(patterns ${part_patterns})
  while(patterns)
    list(POP_FRONT patterns pattern part)
    if(path MATCHES "${pattern}")
      set(${result} ${part} PARENT_SCOPE)
      return()
    endif()
  endwhile()
  set(${result} "" PARENT_SCOPE)
endfunction()

# "search" for engine/src/search/flat_scan.cc, "database" for
# engine/src/database.cc.
function(find_engine_room path result)
  string(REGEX REPLACE "^engine/src/([^/.]+).*" "\\1" room "${path}")
  set(${result} ${room} PARENT_SCOPE)
endfunction()

# Path of an included file of ours, relative to the root; empty when it is not
# ours.
function(resolve includer part name result)
  get_filename_component(folder "${includer}" DIRECTORY)
  foreach(root "${folder}" ${roots_${part}} ${all_roots})
    if(EXISTS "${LAMINA_ROOT}/${root}/${name}")
      file(REAL_PATH "${LAMINA_ROOT}/${root}/${name}" found)
      file(RELATIVE_PATH found "${LAMINA_ROOT}" "${found}")
      set(${result} "${found}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

function(complain includer text)
  message(NOTICE "${includer}: ${text}")
  set_property(GLOBAL APPEND PROPERTY complaints "${includer}")
endfunction()

function(check_own includer part target)
  find_part("${target}" target_part)
  if(NOT target_part STREQUAL part)
    if(NOT target_part IN_LIST may_see_${part})
      string(REPLACE ";" ", " allowed "${may_see_${part}}")
      complain("${includer}" "${part} may not include ${target} (${target_part}); \
it may see: ${allowed}")
    endif()
    return()
  endif()
  if(part STREQUAL "engine")
    find_engine_room("${includer}" room)
    find_engine_room("${target}" target_room)
    if(NOT DEFINED engine_may_see_${room})
      complain("${includer}" "engine/src/${room} is in no table of \
tests/layering_test.cmake; say there what it may include")
    elseif(NOT target_room STREQUAL room
        AND NOT target_room IN_LIST engine_may_see_${room})
      string(REPLACE ";" ", " allowed "${engine_may_see_${room}}")
      complain("${includer}" "engine/src/${room} may not include ${target}; \
it may see: ${allowed}")
    endif()
  endif()
endfunction()

function(check_library includer name)
  set(table ${library_table})
  while(table)
    list(POP_FRONT table pattern allowed)
    if(name MATCHES "${pattern}")
      if(NOT includer MATCHES "${allowed}")
        complain("${includer}" "<${name}> may only be included by files that \
match ${allowed}")
      endif()
      return()
    endif()
  endwhile()
  complain("${includer}" "<${name}> is in no table of \
tests/layering_test.cmake; say there which files may include it")
endfunction()

function(check_include includer part name)
  resolve("${includer}" "${part}" "${name}" target)
  if(target)
    check_own("${includer}" "${part}" "${target}")
  elseif(name STREQUAL "lamina/version.h")
    # Generated; part of the types.
  elseif(name MATCHES "[./]")
    check_library("${includer}" "${name}")
  endif()  # Else a header of C++ itself.
endfunction()

file(REAL_PATH "${LAMINA_ROOT}" LAMINA_ROOT)
set(globs)
foreach(folder engine server client bench tests)
  list(APPEND globs "${LAMINA_ROOT}/${folder}/*.h"
    "${LAMINA_ROOT}/${folder}/*.cc" "${LAMINA_ROOT}/${folder}/*.inc")
endforeach()
file(GLOB_RECURSE sources RELATIVE "${LAMINA_ROOT}" ${globs})

set(include_count 0)
foreach(source ${sources})
  find_part("${source}" part)
  file(STRINGS "${LAMINA_ROOT}/${source}" lines
    REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line ${lines})
    string(REGEX REPLACE ".*include[ \t]*[<\"]([^>\"]+)[>\"].*" "\\1" name
      "${line}")
    check_include("${source}" "${part}" "${name}")
    math(EXPR include_count "${include_count} + 1")
  endforeach()
endforeach()

list(LENGTH sources source_count)
message(NOTICE "${include_count} includes in ${source_count} files looked at")
get_property(complaints GLOBAL PROPERTY complaints)
if(complaints OR include_count EQUAL 0)
  list(LENGTH complaints complaint_count)
  message(FATAL_ERROR "${complaint_count} includes point the wrong way")
endif()
