# cmake/KilnDependencies.cmake: every find_package of the build, in one place.
# Nothing is downloaded; ./dev installs what Debian packages.
# cmake/kiln-config.cmake.in repeats the part that users of the package need.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(absl CONFIG REQUIRED)
find_package(Protobuf REQUIRED)  # Module mode: Debian ships no config file.
find_package(gRPC CONFIG REQUIRED)
if(KILN_TBB_DIR)
  find_package(TBB CONFIG REQUIRED PATHS "${KILN_TBB_DIR}" NO_DEFAULT_PATH)
else()
  find_package(TBB CONFIG REQUIRED)
endif()

find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

if(KILN_BUILD_SERVER)
  find_package(spdlog CONFIG REQUIRED)
endif()
if(KILN_BUILD_TOOLS)
  find_package(TinyGLTF CONFIG REQUIRED)
  find_package(nlohmann_json CONFIG REQUIRED)
endif()
if(KILN_BUILD_TESTS)
  find_package(GTest CONFIG REQUIRED)
  find_package(benchmark CONFIG REQUIRED)
  # librapidcheck-dev has no CMake or pkg-config file of its own.
  find_path(KILN_RAPIDCHECK_INCLUDE rapidcheck.h REQUIRED)
  find_library(KILN_RAPIDCHECK_LIBRARY rapidcheck REQUIRED)
  if(NOT TARGET rapidcheck::rapidcheck)
    add_library(rapidcheck::rapidcheck UNKNOWN IMPORTED GLOBAL)
    set_target_properties(rapidcheck::rapidcheck PROPERTIES
      IMPORTED_LOCATION "${KILN_RAPIDCHECK_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${KILN_RAPIDCHECK_INCLUDE}")
  endif()
endif()
