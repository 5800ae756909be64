import Glibc
import Synchronization
import UIFusionKit

/// The handler of the signals with which a process ends itself: a trap, a fault, or abort(3).
///
/// It allocates nothing and takes no lock (signal-safety(7)). It lets the program's own thread write last words, and
/// then passes the signal on to whoever handled it before: Swift's backtrace, a sanitizer, or the system.
enum CrashSignals {
  private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
  /// The milliseconds for which the end of the process waits for its last words.
  static let patience: Int32 = 2_000

  private typealias Action = UnsafeMutablePointer<sigaction>
  private nonisolated(unsafe) static let earlier = Action.allocate(capacity: 64)
  // Guard: written before the handlers are installed, and only read by them.
  private static let isEnding = Atomic(false)

  /// Installs the handlers, once for the process; returns when they are installed.
  static func install() { installed }

  private static let installed: Void = {
    // What the handlers use is made now, and not in one of them.
    _ = (ThreadMemory.current, TaskNotes.current, isEnding.load(ordering: .relaxed))
    ThreadNotes.find = { UnsafeMutableRawPointer(ThreadMemory.current) }
    for signal in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_sigaction = handle
      action.sa_flags = SA_SIGINFO | SA_ONSTACK
      sigaction(signal, &action, earlier + Int(signal))
    }
  }()

  private static let handle:
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
      signal,
      info,
      _ in
      // Another process may send any signal: that is no fault of what runs here.
      let isSent = (info?.pointee.si_code ?? 0) <= 0
      let isOwn = !isSent || info?.pointee._sifields._kill.si_pid == getpid()
      if isOwn {
        if !CrashSignals.isEnding.exchange(true, ordering: .acquiringAndReleasing) {
          LastWords.speak(signal)
        } else if !LastWords.isSpeaker {
          // Another thread speaks, and then ends the process.
          poll(nil, 0, CrashSignals.patience + 500)
        }
      }
      sigaction(signal, CrashSignals.earlier + Int(signal), nil)
      // A fault happens again; what was sent is sent again, and comes when this handler returns. An int3 does not
      // happen again.
      if isSent || signal == SIGTRAP { raise(signal) }
    }
}
