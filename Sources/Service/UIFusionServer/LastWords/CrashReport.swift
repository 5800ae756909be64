import FusionSessions
import Glibc
import UIFusionKit

/// The record of what a signal that ends the process has interrupted, as it is written to a file of last words.
///
/// Of fixed size and without references, so that a handler of signals can fill it in and write it.
struct CrashReport {
  static let mark: UInt64 = 0x5549_4657_4f52_4431

  var mark = CrashReport.mark
  /// The milliseconds since 1970, UTC.
  var time: Int64 = 0
  var signal: Int32 = 0
  /// The number of the view model among those that are hosted; -1 for none.
  var viewModel: Int32 = -1
  var thread = ThreadNote()
  /// Whether the store has counted it.
  var isCounted = false

  /// Fills in what the calling thread was running; called by a handler of signals.
  mutating func fill(_ signal: Int32, _ thread: ThreadNote, _ viewModel: Int32) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    time = Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    self.signal = signal
    self.thread = thread
    self.viewModel = viewModel
  }

  /// The session; nil if none was at work.
  var session: SessionID? {
    let (high, low) = thread.note.session
    return high == 0 && low == 0 ? nil : SessionID(high: high, low: low)
  }

  /// The crash, to be counted; nil if no session was at work that a store may have.
  func crash(of build: String, within: Duration) -> SessionCrash? {
    guard thread.note.code != .creation, let session else { return nil }
    return SessionCrash(session, at: WallTime(milliseconds: time), of: build, within: within)
  }

  /// The name of the signal.
  var signalName: String {
    let names = [
      SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
      SIGSEGV: "SIGSEGV",
    ]
    return names[signal] ?? "\(signal)"
  }
}

/// The description of a crash for the log; it has no value of an Input, Action or State.
extension CrashReport {
  /// A text such as `session 25iKbQ… (counter) handled the alarm 'b'`.
  func text(_ viewModels: [String]) -> String {
    let name = viewModels.indices.contains(Int(viewModel)) ? viewModels[Int(viewModel)] : ""
    guard thread.note.code != .creation else { return "a session (\(name)) was created" }
    guard let session else { return "no session was at work" }
    return "session \(session.redacted) (\(name)) \(action)"
  }

  private var action: String {
    switch thread.note.code {
    case .work: "was at work"
    case .creation: "was created"
    case .waking: "was woken"
    case .reading: "read an Input"
    case .started: "handled started"
    case .restored: "handled restored"
    case .input: "handled an Input"
    case .message: "handled a message"
    case .action: "handled an Action of an effect"
    case .alarm: "handled the alarm '\(detail)'"
    case .following: "handled the State of a followed session"
    case .failure: "handled an error"
    case .effect: "ran an effect"
    case .end: "was told of its end"
    }
  }

  /// The name of what ran.
  private var detail: String {
    withUnsafeBytes(of: thread.detail) {
      String(decoding: $0.prefix(max(0, min(thread.detailCount, $0.count))), as: UTF8.self)
    }
  }
}
