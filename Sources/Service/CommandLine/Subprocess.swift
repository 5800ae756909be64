import FoundationEssentials
import Glibc

/// A child process in a process group of its own: Ctrl-C does not reach it, its owner has to stop it.
package final class Subprocess {
  private let id: pid_t
  /// The read end of the child's output and errors; nil for a child that shares this process's own.
  private let output: CInt?
  private var ended: CInt?
  private var isAsked = false

  /// Starts a program, which is searched for in PATH.
  ///
  /// - Parameters:
  ///   - arguments: the program, and its arguments.
  ///   - capturesOutput: whether ``newOutput()`` returns what it writes.
  ///   - variables: environment variables beside those of this process, or in their place.
  /// - Throws: ``CommandError`` if the program cannot be started.
  package init(
    _ arguments: [String],
    capturesOutput: Bool = false,
    variables: [String: String] = [:]
  ) throws(CommandError) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let options = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(options))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGPIPE, SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    var ends: [CInt] = [-1, -1]
    if capturesOutput {
      guard pipe(&ends) == 0 else { throw Self.failure(arguments, errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor)
      }
    }
    defer { if capturesOutput { close(ends[1]) } }

    let all = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    var words = arguments.map { strdup($0) } + [nil]
    var environment = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + environment { free(text) } }
    var started: pid_t = 0
    let error = posix_spawnp(&started, arguments[0], &actions, &attributes, &words, &environment)
    guard error == 0 else {
      if capturesOutput { close(ends[0]) }
      throw Self.failure(arguments, error)
    }
    if capturesOutput { _ = fcntl(ends[0], F_SETFL, O_NONBLOCK) }
    id = started
    output = capturesOutput ? ends[0] : nil
  }

  deinit {
    if let output { close(output) }
  }

  /// The exit status as a shell reports it, 128 and the signal's number after a signal; nil while the child runs.
  package var status: CInt? {
    if ended == nil { wait(WNOHANG) }
    return ended
  }

  /// Returns the output since the last call; does not wait.
  package func newOutput() -> [UInt8] {
    guard let output else { return [] }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  /// Sends a signal to the child and its own children, if it still runs.
  package func signal(_ number: CInt) {
    guard status == nil else { return }
    kill(-id, number)
  }

  /// Sends SIGTERM once; a second one would end the service without draining.
  package func terminate() {
    guard !isAsked else { return }
    isAsked = true
    signal(SIGTERM)
  }

  /// Sends SIGTERM and waits for the end; kills the child after the given time.
  package func stop(within timeout: Duration) {
    terminate()
    let deadline = ContinuousClock.now + timeout
    while status == nil, ContinuousClock.now < deadline { usleep(20_000) }
    signal(SIGKILL)
    waitUntilEnd()
  }

  /// Waits until the child has ended by itself.
  package func waitUntilEnd() {
    while ended == nil { wait(0) }
  }

  private func wait(_ options: CInt) {
    var word: CInt = 0
    let found = waitpid(id, &word, options)
    guard found != 0, !(found < 0 && errno == EINTR) else { return }
    // wait(2): the low seven bits are the signal that ended it, if one did.
    ended = found < 0 ? 1 : word & 0x7f == 0 ? (word >> 8) & 0xff : 128 + (word & 0x7f)
  }

  private static func failure(_ arguments: [String], _ error: CInt) -> CommandError {
    CommandError("cannot start \(arguments[0]): \(systemError(error))")
  }
}
