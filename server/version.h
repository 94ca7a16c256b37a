// server/version.h
//
// The version of this build, as CMakeLists.txt at the root states it.

#ifndef KILN_SERVER_VERSION_H_
#define KILN_SERVER_VERSION_H_

#include <string>

namespace kiln::server {

// "1.2.3".
std::string Version();

}  // namespace kiln::server

#endif  // KILN_SERVER_VERSION_H_
