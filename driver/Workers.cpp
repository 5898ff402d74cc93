#include "driver/Workers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace async_tidy {
namespace {

Error error(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

/// One piece of work under way. Its result comes through a file: a pipe would
/// have to be emptied while the process runs.
struct Worker {
  size_t Index;
  std::string ResultFile;
};

/// In the new process: does the work and ends. No destructors or exit handlers
/// run; they are the parent's.
[[noreturn]] void work(const Worker &Self,
                       function_ref<std::string(size_t)> Work) {
  std::string Result = Work(Self.Index);
  std::error_code Failed;
  {
    raw_fd_ostream Out(Self.ResultFile, Failed);
    Out << Result;
    Out.flush();
    if (Out.has_error()) {
      Failed = Out.error();
      Out.clear_error();
    }
  }
  _exit(Failed ? 1 : 0);
}

Expected<std::string> resultOf(const Worker &Ended, int Status) {
  if (WIFSIGNALED(Status))
    return error(Twine("clang crashed (") + strsignal(WTERMSIG(Status)) + ")");
  if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
    return error("its process ended with status " + Twine(WEXITSTATUS(Status)));
  auto Buffer = MemoryBuffer::getFile(Ended.ResultFile);
  if (!Buffer)
    return errorCodeToError(Buffer.getError());
  return (*Buffer)->getBuffer().str();
}

} // namespace

void inProcesses(size_t Count, unsigned Jobs,
                 function_ref<std::string(size_t)> Work,
                 function_ref<void(size_t, Expected<std::string>)> Done) {
  std::map<pid_t, Worker> Running;
  // Results that wait for those of smaller numbers.
  std::map<size_t, Expected<std::string>> Waiting;
  size_t Next = 0, NextDone = 0;

  while (NextDone < Count) {
    while (Next < Count && Running.size() < std::max(1U, Jobs)) {
      SmallString<128> File;
      if (std::error_code Code =
              sys::fs::createTemporaryFile("async-tidy", "yaml", File)) {
        Waiting.emplace(Next++, errorCodeToError(Code));
        continue;
      }
      Worker New{Next++, File.str().str()};
      // What is buffered would be written by both processes.
      outs().flush();
      errs().flush();
      pid_t Child = fork();
      if (Child == 0)
        work(New, Work);
      if (Child < 0) {
        sys::fs::remove(New.ResultFile);
        Waiting.emplace(New.Index, error(Twine("cannot start a process: ") +
                                         std::strerror(errno)));
        continue;
      }
      Running.emplace(Child, std::move(New));
    }

    if (!Running.empty()) {
      int Status = 0;
      pid_t Child = waitpid(-1, &Status, 0);
      auto Ended = Running.find(Child);
      if (Ended == Running.end())
        continue;
      Waiting.emplace(Ended->second.Index, resultOf(Ended->second, Status));
      sys::fs::remove(Ended->second.ResultFile);
      Running.erase(Ended);
    }
    for (auto It = Waiting.find(NextDone); It != Waiting.end();
         It = Waiting.find(++NextDone)) {
      Done(NextDone, std::move(It->second));
      Waiting.erase(It);
    }
  }
}

} // namespace async_tidy
