# cmake/KilnTargets.cmake: the verbs every folder uses to declare targets. Flags
# are set here, on targets, so that a project that embeds Kiln keeps its own.
#
#   kiln_library(NAME core SOURCES a.cc DEPS absl::status
#                PUBLIC_HEADERS base/hash.h)            -> kiln_core, kiln::core
#   kiln_executable(NAME kilnd SOURCES main.cc DEPS ...)
#   kiln_test(NAME core_voxel_box_diff_test SOURCES box_diff_test.cc
#             DEPS kiln::core LABELS unit [TIMEOUT seconds] [SERIAL])
#   kiln_benchmark(NAME core_voxel_benchmark SOURCES ... DEPS ...)
#   kiln_fuzzer(NAME vox_reader_fuzzer SOURCES ... DEPS ...)
#   kiln_proto_library(NAME proto ROOT dir PROTOS a.proto SERVICES b.proto)
#
# SOURCES are relative to the calling folder; DEPS are public, PRIVATE_DEPS are
# not. PUBLIC_HEADERS are installed under include/kiln/<path from the root>.

set(KILN_ROOT "${PROJECT_SOURCE_DIR}")
set(KILN_INCLUDE_INSTALL_DIR "${CMAKE_INSTALL_INCLUDEDIR}/kiln")

# Language level and code generation of every target, generated ones included.
function(kiln_language_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # Results are canonical to the byte: no fused multiply-add behind our back.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
endfunction()

function(kiln_sanitize_flags target)
  if(KILN_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${KILN_SANITIZE}
      -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${KILN_SANITIZE})
  endif()
  if(KILN_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# All but the warnings, for targets of ours.
function(kiln_code_flags target)
  kiln_language_flags(${target})
  kiln_sanitize_flags(${target})
  if(KILN_DCHECK)
    target_compile_definitions(${target} PRIVATE KILN_DCHECK_ENABLED=1)
  endif()
endfunction()

function(kiln_warning_flags target)
  # Options are structs with defaults, so `{.effort = 3}` leaves fields out.
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Wcast-qual -Wformat=2 -Wvla -Wextra-semi)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -Wthread-safety)
  else()
    # GCC 12 sees overruns in std::vector::insert that are not there; ASan looks
    # for the real ones.
    target_compile_options(${target} PRIVATE
      -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
      -Wno-restrict)
  endif()
  if(KILN_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Installs each header of the calling folder at its path from the root.
function(kiln_install_headers)
  foreach(header IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH header OUTPUT_VARIABLE absolute)
    cmake_path(RELATIVE_PATH absolute BASE_DIRECTORY "${KILN_ROOT}"
               OUTPUT_VARIABLE relative)
    cmake_path(GET relative PARENT_PATH folder)
    install(FILES "${absolute}"
            DESTINATION "${KILN_INCLUDE_INSTALL_DIR}/${folder}")
  endforeach()
endfunction()

function(kiln_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME"
    "SOURCES;DEPS;PRIVATE_DEPS;PUBLIC_HEADERS")
  set(target kiln_${arg_NAME})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(kiln::${arg_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME})
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${KILN_ROOT}>"
    "$<INSTALL_INTERFACE:${KILN_INCLUDE_INSTALL_DIR}>")
  target_link_libraries(${target} PUBLIC ${arg_DEPS} PRIVATE ${arg_PRIVATE_DEPS})
  kiln_code_flags(${target})
  kiln_warning_flags(${target})
  if(KILN_INSTALL)
    install(TARGETS ${target} EXPORT kiln-targets
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    kiln_install_headers(${arg_PUBLIC_HEADERS})
  endif()
endfunction()

# Executables land in <build>/bin; INSTALL marks those that users get.
function(kiln_executable)
  cmake_parse_arguments(PARSE_ARGV 0 arg "INSTALL" "NAME" "SOURCES;DEPS")
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_include_directories(${arg_NAME} PRIVATE "${KILN_ROOT}")
  target_link_libraries(${arg_NAME} PRIVATE ${arg_DEPS})
  set_target_properties(${arg_NAME} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  kiln_code_flags(${arg_NAME})
  kiln_warning_flags(${arg_NAME})
  if(arg_INSTALL AND KILN_INSTALL)
    install(TARGETS ${arg_NAME} DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endfunction()

# Sets what every CTest entry shares: labels, a timeout (stretched under a
# sanitizer), the source root as working directory, and where binaries are.
function(kiln_test_properties name labels timeout)
  if(KILN_SANITIZE)
    math(EXPR timeout "${timeout} * 6")
  endif()
  set_tests_properties(${name} PROPERTIES
    LABELS "${labels}" TIMEOUT ${timeout} WORKING_DIRECTORY "${KILN_ROOT}"
    ENVIRONMENT "KILN_BIN_DIR=${PROJECT_BINARY_DIR}/bin;KILN_BUILD_DIR=${PROJECT_BINARY_DIR}")
endfunction()

# One CTest entry per binary: starting a process per case costs more than it
# tells. SERIAL keeps a test from sharing the machine with others.
function(kiln_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SERIAL" "NAME;TIMEOUT"
    "SOURCES;DEPS;LABELS;DATA_TARGETS")
  if(NOT KILN_BUILD_TESTS)
    return()
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  kiln_executable(NAME ${arg_NAME} SOURCES ${arg_SOURCES}
    DEPS ${arg_DEPS} GTest::gmock GTest::gtest GTest::gtest_main)
  set_target_properties(${arg_NAME} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME} --gtest_brief=1)
  kiln_test_properties(${arg_NAME} "${arg_LABELS}" ${arg_TIMEOUT})
  set_tests_properties(${arg_NAME} PROPERTIES RUN_SERIAL ${arg_SERIAL})
endfunction()

# Benchmarks are built with the tests and run by `./dev bench` only.
function(kiln_benchmark)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;DEPS")
  if(NOT KILN_BUILD_TESTS)
    return()
  endif()
  kiln_executable(NAME ${arg_NAME} SOURCES ${arg_SOURCES}
    DEPS ${arg_DEPS} benchmark::benchmark benchmark::benchmark_main)
  set_target_properties(${arg_NAME} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/benchmark")
  if(NOT TARGET kiln_benchmarks)
    add_custom_target(kiln_benchmarks)
  endif()
  add_dependencies(kiln_benchmarks ${arg_NAME})
endfunction()

# A libFuzzer binary in <build>/fuzz, its seeds in tests/fuzz/corpus/<NAME>;
# `./dev fuzz` runs them all, CTest only replays the seeds.
function(kiln_fuzzer)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;DEPS")
  if(NOT KILN_FUZZ)
    return()
  endif()
  kiln_executable(NAME ${arg_NAME} SOURCES ${arg_SOURCES} DEPS ${arg_DEPS})
  target_link_options(${arg_NAME} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${arg_NAME} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  if(NOT TARGET kiln_fuzzers)
    add_custom_target(kiln_fuzzers)
  endif()
  add_dependencies(kiln_fuzzers ${arg_NAME})
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME} -runs=0
           "${KILN_ROOT}/tests/fuzz/corpus/${arg_NAME}")
  kiln_test_properties(${arg_NAME} fuzz 120)
endfunction()

# Generates C++ from .proto files into the build folder and makes one library of
# it. PROTOS give messages, SERVICES messages and gRPC stubs; paths are relative
# to ROOT and are what `#include` and `import` spell.
function(kiln_proto_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;ROOT" "PROTOS;SERVICES;DEPS")
  set(target kiln_${arg_NAME})
  set(out "${CMAKE_CURRENT_BINARY_DIR}/generated")
  file(MAKE_DIRECTORY "${out}")
  list(TRANSFORM arg_PROTOS PREPEND "${arg_ROOT}/" OUTPUT_VARIABLE all)
  list(TRANSFORM arg_SERVICES PREPEND "${arg_ROOT}/" OUTPUT_VARIABLE services)
  list(APPEND all ${services})
  set(generated "")
  foreach(proto IN LISTS arg_PROTOS arg_SERVICES)
    string(REGEX REPLACE "\\.proto$" "" stem "${out}/${proto}")
    set(outputs "${stem}.pb.cc" "${stem}.pb.h")
    set(flags --cpp_out=${out})
    if(proto IN_LIST arg_SERVICES)
      list(APPEND outputs "${stem}.grpc.pb.cc" "${stem}.grpc.pb.h")
      list(APPEND flags --grpc_out=${out}
           --plugin=protoc-gen-grpc=$<TARGET_FILE:gRPC::grpc_cpp_plugin>)
    endif()
    # An import changes what is generated, so each file depends on all.
    add_custom_command(OUTPUT ${outputs}
      COMMAND protobuf::protoc -I "${arg_ROOT}" ${flags} "${arg_ROOT}/${proto}"
      DEPENDS ${all} COMMENT "protoc ${proto}" VERBATIM)
    list(APPEND generated ${outputs})
    if(KILN_INSTALL)
      cmake_path(GET proto PARENT_PATH folder)
      install(FILES "${arg_ROOT}/${proto}"
              DESTINATION "${CMAKE_INSTALL_DATADIR}/kiln/proto/${folder}")
    endif()
  endforeach()
  add_library(${target} STATIC ${generated})
  add_library(kiln::${arg_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME})
  # SYSTEM: warnings in generated headers are not ours to mend.
  target_include_directories(${target} SYSTEM PUBLIC "$<BUILD_INTERFACE:${out}>")
  target_link_libraries(${target} PUBLIC ${arg_DEPS})
  kiln_language_flags(${target})
  # Instrumenting generated code takes a minute and finds nothing of ours; TSan
  # alone must see all of a program.
  if(KILN_SANITIZE MATCHES "thread")
    kiln_sanitize_flags(${target})
  endif()
  target_compile_options(${target} PRIVATE -w)
  if(KILN_INSTALL)
    install(TARGETS ${target} EXPORT kiln-targets
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
endfunction()
