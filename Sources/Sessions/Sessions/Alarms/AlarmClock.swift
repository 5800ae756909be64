import FoundationEssentials
import Synchronization
import UIFusionKit

/// Rings the alarms of the sessions in memory, by the calendar.
///
/// The calendar may be set at any time: it is read anew each second, and never computed from the process's time.
final class AlarmClock: AlarmTimes {
  private struct Contents {
    var schedule = AlarmSchedule()
    /// The process's time of the next search for due alarms; nil if the next ``tick()`` does it.
    var armed: Duration?
  }

  private let contents = Mutex(Contents())
  private let dependencies: Dependencies
  private let engine: @Sendable (SessionID) -> Engine?

  /// Creates a clock that rings in the pool; `engine` returns the engine of a session, nil unless it is awake.
  init(_ dependencies: Dependencies, engine: @escaping @Sendable (SessionID) -> Engine?) {
    (self.dependencies, self.engine) = (dependencies, engine)
  }

  /// The calendar's time, read anew with each call.
  var now: WallTime {
    WallTime(milliseconds: dependencies.date().milliseconds)
  }

  /// The number of sessions in memory that have alarms.
  var count: Int { contents.withLock { $0.schedule.count } }

  func time(of id: SessionID) -> WallTime? { contents.withLock { $0.schedule.time(of: id) } }

  /// Sets the time of the first alarm of a session in memory; nil if it has none.
  ///
  /// `hasRung`: the alarm that was first before has rung.
  func set(_ time: WallTime?, of id: SessionID, hasRung: Bool = false) {
    contents.withLock { $0.schedule.set(time, of: id, hasRung: hasRung) }
    if time != nil { arm() }
  }

  func remove(_ id: SessionID) {
    contents.withLock { $0.schedule.remove(id) }
  }

  private func rang(_ id: SessionID) {
    contents.withLock { $0.schedule.rang(id) }
    arm()
  }

  /// Rings the alarms that are due; called each second, as the calendar may have been set.
  func tick() {
    contents.withLock { $0.schedule.retry() }
    ringDue()
  }

  private func ringDue() {
    let (calendar, time) = (now, dependencies.time.now)
    let due = contents.withLock { contents in
      contents.armed = nil
      return contents.schedule.takeDue(calendar, now: time)
    }
    for id in due { ring(id) }
    arm(isBusy: due.isEmpty)
  }

  /// Rings the session's earliest due alarm if the session is awake; the store finds one that has fallen asleep
  /// meanwhile.
  private func ring(_ id: SessionID) {
    guard let engine = engine(id) else { return remove(id) }
    engine.ring(Ringing(id, self))
  }

  private final class Ringing: BatchOwner {
    private let id: SessionID
    private let clock: AlarmClock

    init(_ id: SessionID, _ clock: AlarmClock) {
      (self.id, self.clock) = (id, clock)
    }

    func didProgress(to progress: InputBatch.Progress) { clock.rang(id) }
  }

  /// Starts a task that rings the next alarm when it is due, if that is within a second.
  private func arm(isBusy: Bool = false) {
    let (calendar, time) = (now, dependencies.time.now)
    let pause: Duration? = contents.withLock { contents in
      guard let next = contents.schedule.next else { return nil }
      let pause = Duration.milliseconds(max(0, next.milliseconds - calendar.milliseconds))
      // Due alarms that were not taken wait for those that ring.
      guard pause < .seconds(1), pause > .zero || !isBusy else { return nil }
      if let armed = contents.armed, armed <= time + pause { return nil }
      contents.armed = time + pause
      return pause
    }
    guard let pause else { return }
    let clock = dependencies.time
    Task.detached(executorPreference: dependencies.executor) { [weak self] in
      if pause > .zero { try await clock.sleep(until: time + pause) }
      self?.ringDue()
    }
  }
}
