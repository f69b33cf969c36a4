# What `cmake --install` copies, and the CMake package that find_package(lamina)
# reads. One export file per component; `types` belongs to all of them.
include(CMakePackageConfigHelpers)

set(lamina_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lamina)

function(lamina_install_libraries export_file)
  install(TARGETS ${ARGN}
    EXPORT ${export_file}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lamina-dev
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
      COMPONENT lamina-dev)
  install(EXPORT ${export_file}
    FILE ${export_file}.cmake
    NAMESPACE lamina::
    DESTINATION ${lamina_package_dir}
    COMPONENT lamina-dev)
endfunction()

lamina_install_libraries(laminaTypesTargets lamina_types)
lamina_install_libraries(lamina-engine lamina_engine)
if(TARGET lamina_client)
  lamina_install_libraries(lamina-client lamina_protocol lamina_client)
endif()
if(TARGET lamina)
  install(TARGETS lamina
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT lamina-dev)
endif()
if(TARGET lamina-server)
  install(TARGETS lamina-server
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT lamina-server)
  install(FILES ${PROJECT_BINARY_DIR}/server/lamina-server.service
    DESTINATION lib/systemd/system COMPONENT lamina-server)
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/engine/cmake/laminaConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/laminaConfig.cmake
  INSTALL_DESTINATION ${lamina_package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/package/laminaConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/laminaConfig.cmake
  ${PROJECT_BINARY_DIR}/package/laminaConfigVersion.cmake
  DESTINATION ${lamina_package_dir}
  COMPONENT lamina-dev)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT lamina-dev)
