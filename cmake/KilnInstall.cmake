# cmake/KilnInstall.cmake: the CMake package and the pkg-config file, written from
# the libraries that this build declared.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/kiln")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/kiln-config.cmake.in" kiln-config.cmake
  INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may break callers.
write_basic_package_version_file(kiln-config-version.cmake
  VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/kiln-config.cmake"
              "${PROJECT_BINARY_DIR}/kiln-config-version.cmake"
        DESTINATION "${package_dir}")

# Static libraries in link order: who needs before who is needed.
set(KILN_PC_LIBS "")
foreach(library client wire proto core)
  if(TARGET kiln_${library})
    string(APPEND KILN_PC_LIBS " -lkiln_${library}")
  endif()
endforeach()
string(STRIP "${KILN_PC_LIBS}" KILN_PC_LIBS)
set(KILN_PC_REQUIRES
  "grpc++ protobuf absl_status absl_statusor absl_strings absl_time absl_flat_hash_map absl_flat_hash_set tbb libxxhash zlib libzstd liblz4")
# Relative, so that the installed tree may be moved.
file(RELATIVE_PATH KILN_PC_PREFIX
  "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file("${CMAKE_CURRENT_LIST_DIR}/kiln.pc.in" kiln.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/kiln.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(TARGET kiln_client)
  install(EXPORT kiln-targets NAMESPACE kiln:: DESTINATION "${package_dir}")
endif()
