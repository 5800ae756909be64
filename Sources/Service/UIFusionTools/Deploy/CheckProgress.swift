import FusionCommandLine
import Glibc

/// The progress of a check on standard error: one line that is rewritten in a terminal, otherwise one every ten seconds.
struct CheckProgress {
  private let count: Int
  private let start = ContinuousClock.now
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var last: ContinuousClock.Instant

  /// Creates the progress of a check of so many sessions.
  init(of count: Int) {
    self.count = count
    last = start
  }

  mutating func show(_ done: Int) {
    let now = ContinuousClock.now
    guard now - last >= (isTerminal ? .milliseconds(200) : .seconds(10)) else { return }
    last = now
    write(Self.text(done, of: count, after: now - start) + (isTerminal ? "" : "\n"))
  }

  /// Clears the line in a terminal.
  func end() { if isTerminal { write("") } }

  private func write(_ text: String) {
    // Clears what the line before had more (ECMA-48 EL).
    writeToStandardError(Array((isTerminal ? "\r\(text)\u{1B}[K" : text).utf8))
  }

  /// The number of sessions that are done, and the time that the others take at that speed.
  static func text(_ done: Int, of count: Int, after time: Duration) -> String {
    let left = max(0, count - done)
    let begin = "checked \(done) of \(count) sessions"
    guard done > 0 else { return begin }
    return "\(begin), \((time * left / done).components.seconds + 1) s left"
  }
}
