# cmake/KilnInstall.cmake: the CMake package and pkg-config file of the client.
include(CMakePackageConfigHelpers)
