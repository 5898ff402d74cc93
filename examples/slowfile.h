//===--- slowfile.h - A file on a slow disk ---------------------*- C++ -*-===//

#ifndef CRAWLER_SLOWFILE_H
#define CRAWLER_SLOWFILE_H

#include "asio.h"
#include <string>
#include <thread>

namespace crawler {

/// A file that takes \p Delay to open, as on a disk that has to spin up or a
/// server that is far away. It can be read once, and must be. (It is a pipe
/// with a name, whose other end is late.)
class SlowFile {
public:
  SlowFile(std::string Text, Clock::duration Delay);
  ~SlowFile();
  SlowFile(const SlowFile &) = delete;
  SlowFile &operator=(const SlowFile &) = delete;

  const std::string &path() const { return Path; }

private:
  std::string Folder;
  std::string Path;
  std::thread Writer;
};

} // namespace crawler

#endif // CRAWLER_SLOWFILE_H
