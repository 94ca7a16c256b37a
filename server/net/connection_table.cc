#include "server/net/connection_table.h"

#include <sys/stat.h>

namespace kiln::server {
namespace {

// Inode of the socket behind `fd`; 0 where there is none. Sockets' inodes come
// from one counter, so a later socket does not get the same one soon.
ino_t SocketInode(int fd) {
  struct stat info = {};
  if (fstat(fd, &info) != 0 || !S_ISSOCK(info.st_mode)) return 0;
  return info.st_ino;
}

}  // namespace

bool ConnectionTable::HasRoom() {
  if (size() < max_connections_) return true;
  Sweep();
  return size() < max_connections_;
}

void ConnectionTable::Add(int fd) { inode_by_fd_[fd] = SocketInode(fd); }

void ConnectionTable::Sweep() {
  for (auto it = inode_by_fd_.begin(); it != inode_by_fd_.end();) {
    if (SocketInode(it->first) == it->second) {
      ++it;
    } else {
      it = inode_by_fd_.erase(it);
    }
  }
}

}  // namespace kiln::server
