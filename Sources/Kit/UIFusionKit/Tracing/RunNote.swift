/// A note of the code of a view model that a thread or a task runs, made before it runs: user code may trap.
///
/// A few words without references, so that making a note costs a few stores.
package struct RunNote: Sendable {
  /// The two halves of the session's id; both 0 for no session.
  package var session: (high: UInt64, low: UInt64) = (0, 0)
  /// A number that identifies the view model within this process.
  package var viewModel: UInt = 0
  /// A number that identifies the service within this process; 0 for none, and then nothing is noted.
  package var service: UInt = 0
  package var code = RunningCode.work

  package init() {}
}

/// A kind of a view model's code; the numbers are stored, and count the cases.
package enum RunningCode: UInt8, Sendable, CaseIterable {
  /// A part of its work behind a suspension.
  case work = 0
  /// Its creation, with the parameters of a new session.
  case creation = 1
  /// Its creation, with a stored State.
  case waking = 2
  /// The reading of an Input from JSON.
  case reading = 3
  case started = 4
  case restored = 5
  case input = 6
  /// An Input that another session has sent.
  case message = 7
  /// An action that an effect has sent.
  case action = 8
  case alarm = 9
  /// The State of a followed session.
  case following = 10
  /// The handling of an effect's error.
  case failure = 11
  case effect = 12
  /// The end of the session.
  case end = 13
}

/// The note of a thread, which a handler of signals reads on the same thread.
package struct ThreadNote: Sendable {
  /// The most bytes of a detail.
  package static let detailLimit = 64

  package var note = RunNote()
  package var detailCount = 0
  /// The name of what runs, never a value: bytes, eight at a time.
  package var detail: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )

  package init() {}

  mutating func setDetail(_ bytes: [UInt8]) {
    detailCount = min(bytes.count, Self.detailLimit)
    guard detailCount > 0 else { return }
    withUnsafeMutableBytes(of: &detail) { $0.copyBytes(from: bytes.prefix(detailCount)) }
  }
}

/// The notes of threads: each thread has its own, so that no two of them ever touch the same memory.
package enum ThreadNotes {
  /// The function that finds the calling thread's ``ThreadNote``; nil where nobody reads notes.
  // Guard: set before the first note is made whose service is not 0, and never changed.
  @exclusivity(unchecked)
  package nonisolated(unsafe) static var find: (@convention(c) () -> UnsafeMutableRawPointer?)?

  private static var current: UnsafeMutablePointer<ThreadNote>? {
    find?()?.assumingMemoryBound(to: ThreadNote.self)
  }

  /// Replaces the calling thread's note; returns the one before, to be restored.
  package static func exchange(_ note: RunNote) -> RunNote {
    guard note.service != 0, let thread = current else { return RunNote() }
    let outer = thread.pointee.note
    thread.pointee.note = note
    thread.pointee.detailCount = 0
    return outer
  }

  /// Restores the note that ``exchange(_:)`` has replaced by another.
  package static func restore(_ outer: RunNote, after note: RunNote) {
    guard note.service != 0, let thread = current else { return }
    thread.pointee.note = outer
    thread.pointee.detailCount = 0
  }

  /// Changes the kind of code in the calling thread's note, which a service has made.
  static func update(_ code: RunningCode, _ detail: [UInt8]) {
    guard let thread = current else { return }
    thread.pointee.note.code = code
    thread.pointee.setDetail(detail)
  }
}
