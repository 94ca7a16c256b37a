# tests/integration/cli_tests.cmake: the kiln tool against real servers.
if(KILN_BUILD_TOOLS)
  kiln_test(NAME integration_cli_server_test SOURCES cli_server_test.cc
            DEPS kiln_cli kiln_server_harness nlohmann_json::nlohmann_json
            LABELS integration TIMEOUT 120 SERIAL)
  add_dependencies(integration_cli_server_test kilnd kiln)
endif()
