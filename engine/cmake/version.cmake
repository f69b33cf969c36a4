# lamina/version.h, made from the project's version and part of lamina_types
# like any other public header.
configure_file(${PROJECT_SOURCE_DIR}/engine/include/lamina/version.h.in
  ${PROJECT_BINARY_DIR}/generated/lamina/version.h @ONLY)
target_sources(lamina_types
  PUBLIC FILE_SET HEADERS
  BASE_DIRS ${PROJECT_BINARY_DIR}/generated
  FILES ${PROJECT_BINARY_DIR}/generated/lamina/version.h)
