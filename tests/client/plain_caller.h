// tests/client/plain_caller.h
//
// A caller compiled with -fno-exceptions and -fno-rtti.

#ifndef KILN_TESTS_CLIENT_PLAIN_CALLER_H_
#define KILN_TESTS_CLIENT_PLAIN_CALLER_H_

namespace kiln::tests {

// Bakes one solid voxel with "inproc:" and returns the number of boxes, or -1.
int BakeOneVoxelPlainly();

}  // namespace kiln::tests

#endif  // KILN_TESTS_CLIENT_PLAIN_CALLER_H_
