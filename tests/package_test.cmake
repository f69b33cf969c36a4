# Installs the build into a fresh prefix, moves the prefix, and builds and runs
# tests/consumer against it, as a stranger would.
#
#   cmake -DBUILD_DIR= -DWORK_DIR= -DLAMINA_ROOT= -DCXX_COMPILER= -DBUILD_TYPE=
#     -P package_test.cmake
cmake_minimum_required(VERSION 3.25)

set(prefix ${WORK_DIR}/prefix)

function(run what)
  execute_process(COMMAND ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${text}")
  endif()
  set(run_output "${text}" PARENT_SCOPE)
endfunction()

# Configures the consumer with everything hidden that only the build of Lamina
# itself may ask for.
function(configure_consumer result output build_dir)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${LAMINA_ROOT}/tests/consumer -B ${build_dir}
      -DCMAKE_PREFIX_PATH=${prefix}
      -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
      -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
      "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Werror"
      -DCMAKE_DISABLE_FIND_PACKAGE_faiss=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_BLAS=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_OpenBLAS=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
      ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${result} ${code} PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

function(expect_no_match what text pattern)
  if("${text}" MATCHES "${pattern}")
    message(FATAL_ERROR "${what} holds \"${CMAKE_MATCH_0}\"")
  endif()
endfunction()

# Install, and move what was installed.

file(REMOVE_RECURSE ${WORK_DIR})
run("install" ${CMAKE_COMMAND} --install ${BUILD_DIR}
  --prefix ${WORK_DIR}/first_prefix)
file(RENAME ${WORK_DIR}/first_prefix ${prefix})

file(GLOB_RECURSE package_files ${prefix}/*.cmake)
file(GLOB_RECURSE headers ${prefix}/include/*.h)
if(NOT package_files OR NOT headers)
  message(FATAL_ERROR "nothing was installed")
endif()
foreach(file ${package_files})
  file(READ ${file} text)
  expect_no_match("${file}" "${text}" "${LAMINA_ROOT}/[a-z]+")
  expect_no_match("${file}" "${text}" "first_prefix")
  expect_no_match("${file}" "${text}" "-Wall|-fsanitize")
endforeach()
foreach(file ${headers})
  file(READ ${file} text)
  expect_no_match("${file}" "${text}"
    "#include <(faiss|boost|rapidjson|httplib|cblas|omp)[^>]*>")
endforeach()

# Both components, and the client alone.

configure_consumer(code text ${WORK_DIR}/both)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the consumer does not configure:\n${text}")
endif()
run("building the consumer" ${CMAKE_COMMAND} --build ${WORK_DIR}/both)
run("embed" ${WORK_DIR}/both/embed ${WORK_DIR}/data)
if(NOT run_output MATCHES "42 1\\.000")
  message(FATAL_ERROR "embed did not find its point:\n${run_output}")
endif()
run("remote" ${WORK_DIR}/both/remote)
if(NOT run_output MATCHES "invalid_argument")
  message(FATAL_ERROR "remote took \"no url\" for one:\n${run_output}")
endif()

# A client program carries nothing of the engine: neither its libraries nor its
# code.
run("readelf" readelf --dynamic ${WORK_DIR}/both/remote)
expect_no_match("remote" "${run_output}"
  "lib(faiss|openblas|blas|gomp|omp|ssl|cpp-httplib)[^]]*")
run("nm" nm --demangle ${WORK_DIR}/both/remote)
expect_no_match("remote" "${run_output}"
  "faiss::[a-z_]+|cblas_[a-z]+|lamina::Database::[a-z_]+|lamina::kernels::[a-z_]+")

# With the engine's files gone, the client component still works, and asking for
# the engine says so.
file(GLOB engine_files ${prefix}/lib*/cmake/lamina/lamina-engine*
  ${prefix}/lib*/liblamina_engine* ${prefix}/lib*/*/liblamina_engine*
  ${prefix}/lib*/*/cmake/lamina/lamina-engine*)
file(REMOVE ${engine_files})
configure_consumer(code text ${WORK_DIR}/client_only -DLAMINA_COMPONENTS=client)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "the client alone does not configure:\n${text}")
endif()
run("building the client alone" ${CMAKE_COMMAND} --build
  ${WORK_DIR}/client_only)

configure_consumer(code text ${WORK_DIR}/no_engine -DLAMINA_COMPONENTS=engine)
if(code EQUAL 0 OR NOT text MATCHES "engine")
  message(FATAL_ERROR "a missing component was not reported:\n${text}")
endif()

# Versions.

# find_package() by itself needs no language and no compiler.
foreach(version_and_verdict "0.1=found" "0.2=refused" "1.0=refused")
  string(REPLACE "=" ";" pair ${version_and_verdict})
  list(GET pair 0 version)
  list(GET pair 1 verdict)
  file(WRITE ${WORK_DIR}/version/CMakeLists.txt "
cmake_minimum_required(VERSION 3.25)
project(version_check LANGUAGES CXX)
find_package(lamina ${version} QUIET COMPONENTS client)
if(lamina_FOUND)
  message(STATUS \"verdict: found\")
else()
  message(STATUS \"verdict: refused\")
endif()
")
  run("asking for ${version}" ${CMAKE_COMMAND} -S ${WORK_DIR}/version
    -B ${WORK_DIR}/version/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${CXX_COMPILER})
  if(NOT run_output MATCHES "verdict: ${verdict}")
    message(FATAL_ERROR "find_package(lamina ${version}) was not ${verdict}:\n"
      "${run_output}")
  endif()
endforeach()
