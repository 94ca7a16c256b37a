// server/net/connection_table.h
//
// How many connections are open, without being told when one closes: gRPC owns
// them and says nothing. A connection is remembered by its descriptor and the
// inode of its socket; it is gone when the descriptor names another inode.

#ifndef KILN_SERVER_NET_CONNECTION_TABLE_H_
#define KILN_SERVER_NET_CONNECTION_TABLE_H_

#include <sys/types.h>

#include <unordered_map>

namespace kiln::server {

// Not thread-safe.
class ConnectionTable {
 public:
  // Requires: max_connections >= 1.
  explicit ConnectionTable(int max_connections)
      : max_connections_(max_connections) {}

  // Whether one more connection may be open. Cost: O(1), or one fstat for each
  // remembered connection when the cap seems to be reached.
  bool HasRoom();
  // Remembers an open connection.
  void Add(int fd);

  // Remembered ones, some of which may have been closed since.
  int size() const { return static_cast<int>(inode_by_fd_.size()); }

 private:
  void Sweep();

  const int max_connections_;
  std::unordered_map<int, ino_t> inode_by_fd_;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_NET_CONNECTION_TABLE_H_
