#include "server/version.h"

namespace kiln::server {

std::string Version() { return KILN_VERSION; }

}  // namespace kiln::server
