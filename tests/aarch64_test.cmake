# Builds the kernels' tests for 64-bit ARM (preset aarch64) and runs them under
# QEMU: the NEON kernels against the portable ones, bit for bit. The real data
# set and the many random cases are left to the machine itself; emulated they
# would take minutes.
#
#   cmake -DLAMINA_ROOT=... -DWORK_DIR=... -P aarch64_test.cmake

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${LAMINA_ROOT}
    RESULT_VARIABLE outcome)
  if(NOT outcome EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --preset aarch64 -B ${WORK_DIR})
run(${CMAKE_COMMAND} --build ${WORK_DIR} --target kernels_tests)
run(qemu-aarch64 -L /usr/aarch64-linux-gnu
  ${WORK_DIR}/tests/engine/kernels_tests "--test-case-exclude=*real data set*,*hundred thousand*")

# Without the dot product instructions there would be nothing but the portable
# kernels, and the run above would have compared them with themselves.
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env LAMINA_KERNEL=neon
    qemu-aarch64 -L /usr/aarch64-linux-gnu
    ${WORK_DIR}/tests/engine/kernels_tests
    "--test-case=equal scores come by ascending id*"
  RESULT_VARIABLE outcome)
if(NOT outcome EQUAL 0)
  message(FATAL_ERROR "the NEON kernels cannot be chosen")
endif()
