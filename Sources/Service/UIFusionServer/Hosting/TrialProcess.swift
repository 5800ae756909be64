import CFusionMalloc
import FusionStrictJSON
import Glibc

/// A child process that runs a ``Trial``, and tells its parent by memory that both share.
///
/// The child is a fork, so that it knows the types of this program, whatever its `main` does. Its only thread may
/// wait for ever for a lock that another thread held at that moment: it ends once it uses no time of the processor,
/// which tells it from a child on a busy machine.
enum TrialProcess {
  /// The longest time of the processor for one type, in seconds.
  private static let limit = 1
  /// The longest time for one type on a busy machine, in seconds.
  private static let timeout = 10
  private typealias Watch = (usedTime: clock_t, seconds: Int)
  /// The process's time of the processor a second ago, and the seconds in the code of one type.
  private nonisolated(unsafe) static let watch = UnsafeMutablePointer<Watch>.allocate(capacity: 1)
  // Guard: only a child uses it, which has one thread; its handler runs on that thread, too.

  /// Starts a child that runs the body; returns nil if the system does not allow it.
  static func start(_ body: (Trial.Child) -> Void) -> Trial.Finish? {
    guard let memory = SharedNotes() else { return nil }
    let parent = getpid()
    let id = cmalloc_fork()
    if id == 0 {
      detach()
      body(
        Trial.Child(
          note: { name in
            guard getppid() == parent else { _exit(1) }
            memory.name = name
            startTimers()
          },
          report: memory.append
        )
      )
      memory.isFinished = true
      _exit(0)
    }
    guard id > 0 else {
      memory.free()
      return nil
    }
    return {
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      defer { memory.free() }
      let ending: Trial.Ending =
        if memory.isFinished {
          .finished
        } else if status & 0x7F == SIGALRM {
          .stuck(in: memory.name)
        } else {
          .ended(by: memory.name)
        }
      return Trial.Outcome(memory.lines, ending)
    }
  }

  private static func startTimers() {
    unsafe watch.initialize(to: (clock(), 0))
    signal(SIGALRM) { _ in TrialProcess.endIfStuck() }
    alarm(1)
    var limit = itimerval()
    limit.it_value.tv_sec = Self.limit
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
  }

  /// Ends a child that has used less than a millisecond of the processor in the last second; called by a signal.
  private static func endIfStuck() {
    let usedTime = clock()
    let isStuck = unsafe usedTime - watch.pointee.usedTime < CLOCKS_PER_SEC / 1_000
    unsafe watch.pointee = (usedTime, watch.pointee.seconds + 1)
    guard unsafe isStuck || watch.pointee.seconds >= timeout else {
      alarm(1)
      return
    }
    signal(SIGALRM, SIG_DFL)
    raise(SIGALRM)
  }

  /// Takes away from a child what it has of its parent: handlers of signals, open files, and what is to be done at
  /// the end.
  private static func detach() {
    // First what ends a child that gets stuck, also in the rest of this function.
    signal(SIGALRM, SIG_DFL)
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    for ignored in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { signal(ignored, SIG_IGN) }
    for usual in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPROF] {
      signal(usual, SIG_DFL)
    }
    startTimers()
    atexit { _exit(1) }
    var noDump = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noDump)
    closefrom(0)
    for _ in STDIN_FILENO...STDERR_FILENO { _ = open("/dev/null", O_RDWR) }
    // If memory is short, the system ends the child rather than its parent.
    let score = open("/proc/self/oom_score_adj", O_WRONLY)
    write(score, "1000", 4)
    close(score)
  }
}

/// The memory that a child writes and its parent reads.
private struct SharedNotes: @unchecked Sendable {
  // Guard: the parent reads only after the child's end.
  private let memory: UnsafeMutableRawBufferPointer

  private static let size = 32 << 20
  /// The first byte of the lines.
  private static let start = 4096
  private static let (countPlace, endPlace, namePlace) = (0, 8, 16)

  init?() {
    let flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE
    let start = mmap(nil, Self.size, PROT_READ | PROT_WRITE, flags, -1, 0)
    guard let start, start != MAP_FAILED else { return nil }
    memory = UnsafeMutableRawBufferPointer(start: start, count: Self.size)
  }

  func free() { munmap(memory.baseAddress, memory.count) }

  /// Whether the child came to its end.
  var isFinished: Bool {
    get { number(at: Self.endPlace) == 1 }
    nonmutating set { set(newValue ? 1 : 0, at: Self.endPlace) }
  }

  /// The type whose code runs.
  var name: String {
    get {
      let place = Self.namePlace + 8
      return text(place..<place + number(at: Self.namePlace))
    }
    nonmutating set {
      let name = Array(newValue.utf8.prefix(Self.start - Self.namePlace - 8))
      memory[(Self.namePlace + 8)...].copyBytes(from: name)
      set(name.count, at: Self.namePlace)
    }
  }

  var lines: [String] {
    text(Self.start..<Self.start + number(at: Self.countPlace)).split(separator: "\n")
      .map(String.init)
  }

  /// Adds a line; leaves it out if there is no room.
  func append(_ line: String) {
    let (bytes, count) = (Array("\(line)\n".utf8), number(at: Self.countPlace))
    guard Self.start + count + bytes.count <= memory.count else { return }
    memory[(Self.start + count)...].copyBytes(from: bytes)
    set(count + bytes.count, at: Self.countPlace)
  }

  private func number(at place: Int) -> Int {
    memory.loadUnaligned(fromByteOffset: place, as: Int.self)
  }

  private func set(_ number: Int, at place: Int) {
    memory.storeBytes(of: number, toByteOffset: place, as: Int.self)
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: memory[range], as: UTF8.self)
  }
}
