import UIFusionKit

/// The sessions in memory that have alarms, and those in which an alarm is ringing.
///
/// Pure: alarms are due by the calendar, which the caller reads anew each time; the process's time limits turns. A
/// session rings one alarm at a time. At most ``limit`` sessions ring at once, not counting those that take long.
struct AlarmSchedule {
  /// The number of sessions in which an alarm rings at a time.
  static let limit = 64
  /// The time after which a session that takes long gives way to others.
  static let busyTime = Duration.seconds(1)

  private struct Entry {
    /// The time of the session's first alarm; nil if none is left.
    var time: WallTime?
    /// The number in the queue; nil while an alarm rings, or the session waits for the next second.
    var number: Int?
    /// The time of the alarm that rings.
    var ringing: WallTime?
  }

  private var entries: [SessionID: Entry] = [:]
  private var queue = DeadlineQueue()
  private var queued: [Int: SessionID] = [:]
  private var last = 0
  /// The sessions that have been ringing for less than ``busyTime``, with the process's time at which they began.
  private var busy: [SessionID: Duration] = [:]
  /// The sessions whose alarm was still set after it had rung.
  private var waiting: [SessionID] = []

  var count: Int { entries.count }

  func time(of id: SessionID) -> WallTime? { entries[id]?.time }

  /// The time of the alarm that is due first and does not ring.
  var next: WallTime? {
    queue.first.map { WallTime(milliseconds: $0.deadline.milliseconds) }
  }

  /// Sets the time of a session's first alarm; nil removes the session.
  ///
  /// `hasRung`: the alarm that is ringing is over, so the next one does not wait for ``retry()``, even at the same time.
  mutating func set(_ time: WallTime?, of id: SessionID, hasRung: Bool = false) {
    if hasRung, entries[id]?.ringing != nil {
      entries[id]?.ringing = WallTime(milliseconds: .min)
    }
    guard let time else {
      if entries[id]?.ringing == nil { remove(id) } else { entries[id]?.time = nil }
      return
    }
    var entry = entries[id] ?? Entry()
    guard entry.time != time else { return }
    if let number = entry.number { queued[number] = nil }
    (entry.time, entry.number) = (time, nil)
    entries[id] = entry
    if entry.ringing == nil { enqueue(id) }
  }

  /// Removes a session that has ended or left memory.
  mutating func remove(_ id: SessionID) {
    if let number = entries.removeValue(forKey: id)?.number { queued[number] = nil }
    busy[id] = nil
    compact()
  }

  /// Removes the queue's entries of sessions that were removed, or whose time has changed.
  private mutating func compact() {
    if queue.count > 64, queue.count > 2 * queued.count {
      queue.removeAll { [queued] in queued[$0] == nil }
    }
  }

  /// Takes the sessions in which an alarm is to ring now.
  mutating func takeDue(_ calendar: WallTime, now: Duration) -> [SessionID] {
    busy = busy.filter { now - $0.value < Self.busyTime }
    var due: [SessionID] = []
    while busy.count < Self.limit, let first = queue.first {
      guard let id = queued[first.number] else {
        queue.removeFirst()
        continue
      }
      guard let next, next <= calendar else { break }
      queue.removeFirst()
      queued[first.number] = nil
      entries[id]?.number = nil
      let time = entries[id]?.time
      entries[id]?.ringing = time
      busy[id] = now
      due.append(id)
    }
    return due
  }

  /// Notes that a session was rung; if its alarm is still set, as it was not due after all, it waits for ``retry()``.
  mutating func rang(_ id: SessionID) {
    busy[id] = nil
    guard let entry = entries[id], let rung = entry.ringing else { return }
    entries[id]?.ringing = nil
    guard let time = entry.time else { return remove(id) }
    if time == rung { waiting.append(id) } else { enqueue(id) }
  }

  /// Queues the sessions again that wait after a ring; called each second.
  mutating func retry() {
    for id in waiting where entries[id].map({ $0.number == nil && $0.ringing == nil }) == true {
      enqueue(id)
    }
    waiting = []
  }

  private mutating func enqueue(_ id: SessionID) {
    guard let time = entries[id]?.time else { return }
    last += 1
    entries[id]?.number = last
    queued[last] = id
    queue.insert(.init(deadline: .milliseconds(time.milliseconds), number: last))
    compact()
  }
}
