// server/net/file_descriptor.h
//
// A file descriptor that closes itself.

#ifndef KILN_SERVER_NET_FILE_DESCRIPTOR_H_
#define KILN_SERVER_NET_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace kiln::server {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~FileDescriptor() { Close(); }

  bool valid() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }
  void Close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

}  // namespace kiln::server

#endif  // KILN_SERVER_NET_FILE_DESCRIPTOR_H_
