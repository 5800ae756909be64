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
  @exclusivity(unchecked)
  package nonisolated(unsafe) static var find: (@convention(c) () -> UnsafeMutableRawPointer?)?
  // Guard: set before the first note is made whose service is not 0, and never changed.

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
