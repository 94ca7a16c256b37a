# tests/integration/client_tests.cmake: the client library, and one that is not
# ours, against real servers.
foreach(name client_bake client_restart client_stream third_party_client)
  kiln_test(NAME integration_${name}_test SOURCES ${name}_test.cc
            DEPS kiln::client kiln_server_harness LABELS integration
            TIMEOUT 120 SERIAL)
endforeach()
add_dependencies(integration_client_restart_test kilnd)
