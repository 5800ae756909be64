import Synchronization

/// The notes of running tasks, whichever threads they run on: effects suspend, and go on elsewhere.
///
/// A fixed table, found by the address of the task; a task that finds no room is not noted.
package enum TaskNotes {
  private struct Entry: ~Copyable {
    /// The address of the task; 0 for a free entry.
    let task = Atomic<UInt>(0)
    var note = RunNote()
  }

  private static let bits: UInt = 13
  /// The number of entries that are searched for a task.
  private static let reach: UInt = 32
  private nonisolated(unsafe) static let entries: UnsafeMutablePointer<Entry> = {
    // Guard: an entry's note is used by the task alone whose address it has.
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1 << bits)
    for place in 0..<(1 << bits) { (entries + place).initialize(to: Entry()) }
    return entries
  }()

  /// The address of the calling task; 0 outside of tasks.
  private static var task: UInt {
    withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } ?? 0 }
  }

  /// Notes what the calling task runs; returns the place of the note.
  static func begin(_ note: RunNote) -> Int {
    let task = task
    guard task != 0, note.service != 0 else { return -1 }
    for step in 0..<reach {
      let place = place(of: task, step)
      if entries[place].task.compareExchange(expected: 0, desired: task, ordering: .relaxed)
        .exchanged
      {
        entries[place].note = note
        return place
      }
    }
    return -1
  }

  static func end(_ place: Int) {
    if place >= 0 { entries[place].task.store(0, ordering: .relaxed) }
  }

  /// The note of the calling task; nil if there is none.
  ///
  /// Allocates nothing.
  package static var current: RunNote? {
    let task = task
    guard task != 0 else { return nil }
    var step: UInt = 0
    while step < reach {
      let place = place(of: task, step)
      if entries[place].task.load(ordering: .relaxed) == task { return entries[place].note }
      step += 1
    }
    return nil
  }

  private static func place(of task: UInt, _ step: UInt) -> Int {
    // Fibonacci hashing: the upper bits are the mixed ones.
    let hash = (task >> 4) &* 0x9E37_79B9_7F4A_7C15 >> (64 - bits)
    return Int((hash &+ step) & (1 << bits - 1))
  }
}
