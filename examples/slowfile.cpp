//===--- slowfile.cpp - A file on a slow disk -----------------------------===//

#include "slowfile.h"
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <system_error>

using namespace crawler;

SlowFile::SlowFile(std::string Text, Clock::duration Delay)
    : Folder(std::filesystem::temp_directory_path() / "crawler-XXXXXX") {
  if (!::mkdtemp(Folder.data()))
    throw std::system_error(errno, std::generic_category(), Folder);
  Path = Folder + "/robots.txt";
  if (::mkfifo(Path.c_str(), 0600) != 0)
    throw std::system_error(errno, std::generic_category(), Path);
  Writer = std::thread([Path = Path, Text = std::move(Text), Delay] {
    std::this_thread::sleep_for(Delay);
    std::ofstream(Path) << Text;
  });
}

SlowFile::~SlowFile() {
  Writer.join();
  std::filesystem::remove_all(Folder);
}
