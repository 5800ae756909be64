import CFusionSpawnActions
package import Foundation
import Glibc
import Synchronization

/// A child process in a process group of its own, which inherits no descriptors but its standard ones.
///
/// Foundation's `Process` is not used: with many open descriptors, its `run()` (6.3) reads beyond a listing
/// of /proc/self/fd and may crash.
package final class ChildProcess: Sendable {
  package let id: Int32
  private let end = End()

  /// Starts a program.
  ///
  /// Without an input, the program reads /dev/null. This process closes its copies of the pipes' writing
  /// ends.
  ///
  /// - Throws: `POSIXError` if the program cannot be started.
  package init(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment,
    in folder: String? = nil,
    input: FileHandle? = nil,
    output: Pipe,
    errors: Pipe? = nil
  ) throws {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let options = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(options))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    for (pipe, descriptor) in [(output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
      guard let end = pipe?.fileHandleForWriting.fileDescriptor else { continue }
      posix_spawn_file_actions_adddup2(&actions, end, descriptor)
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var started: pid_t = 0
    let error = posix_spawn(&started, program, &actions, &attributes, &words, &variables)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EINVAL) }
    id = started
    for pipe in [output, errors] { try? pipe?.fileHandleForWriting.close() }
    // Starts at once, since Swift Testing's thread for exit tests spins while there are children to wait for.
    Thread.detachNewThread { [id, end] in end.wait(for: id) }
  }

  package var isRunning: Bool { end.status == nil }

  /// Waits for the end; returns the exit status, or the number of the signal that ended the process.
  @discardableResult
  package func waitUntilExit() -> Int32 {
    end.group.wait()
    return end.status ?? 0
  }

  /// Sends a signal to the process if it still runs.
  package func signal(_ number: Int32 = SIGTERM) { end.send(number, to: id) }
}

/// The end of a process.
private final class End: Sendable {
  let group = DispatchGroup()
  private let contents = Mutex<Int32?>(nil)

  init() {
    group.enter()
  }

  var status: Int32? { contents.withLock(\.self) }

  func send(_ signal: Int32, to id: Int32) {
    contents.withLock { status in
      if status == nil { kill(id, signal) }
    }
  }

  /// Waits until a process has ended; until then, its id is not reused.
  func wait(for id: Int32) {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    contents.withLock { status in
      var word: Int32 = 0
      let found = waitpid(id, &word, 0)
      // wait(2): the low seven bits are the number of the signal that ended it, or 0.
      status = found < 0 ? 1 : word & 0x7f == 0 ? (word >> 8) & 0xff : word & 0x7f
    }
    group.leave()
  }
}
