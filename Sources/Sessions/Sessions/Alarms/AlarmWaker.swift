import UIFusionKit

/// Wakes the sessions that have alarms that are due, as the store finds them.
///
/// The ``AlarmClock`` rings in sessions in memory, and so in those that were woken.
package final class AlarmWaker: Sendable {
  /// The number of sessions that are read at once: requests read sessions, too.
  private static let wokenAtOnce = 8
  /// The number of woken sessions after which those that are at rest give their memory back.
  private static let wokenBetweenSleeps = 512
  /// The pause before a damaged session is tried again; each attempt is logged.
  private static let pauseAfterDamage = Duration.seconds(60)
  /// The time for which a session is left alone that was woken for its messages: it hands them over by itself, and may
  /// have fallen asleep as its receivers are out of reach.
  private static let pauseOfMessages = Duration.seconds(10)

  let clock: AlarmClock
  private let directory: LockedDirectory
  private let ownership: any SessionOwnership
  private let health: StoreHealth
  private let viewModels: HostedViewModels
  private let setAside: SetAsideSessions
  private let waker: Waker
  private let sleeper: Sleeper
  private let context: SessionContext

  init(
    _ clock: AlarmClock,
    _ directory: LockedDirectory,
    _ ownership: any SessionOwnership,
    _ health: StoreHealth,
    _ viewModels: HostedViewModels,
    _ setAside: SetAsideSessions,
    _ waker: Waker,
    _ sleeper: Sleeper,
    _ context: SessionContext
  ) {
    (self.clock, self.directory, self.ownership) = (clock, directory, ownership)
    (self.health, self.viewModels, self.setAside) = (health, viewModels, setAside)
    (self.waker, self.sleeper, self.context) = (waker, sleeper, context)
  }

  /// Rings alarms for as long as the task runs.
  ///
  /// Checks memory every second, and the store every second, or less often if nodes share it.
  package func run() async throws {
    // Alarms in memory do not wait for the store.
    async let _ = keepTicking()
    var skipped = SkippedSessions()
    var next = time.now
    while true {
      if context.store != nil, ownership.isHeld, time.now >= next {
        try await wakeDue(&skipped)
        next = time.now + (ownership.takeOverPause ?? .seconds(1))
      }
      try await time.sleep(for: .seconds(1))
    }
  }

  private func keepTicking() async throws {
    while true {
      clock.tick()
      try await time.sleep(for: .seconds(1))
    }
  }

  // MARK: Sessions that are not in memory

  /// The sessions to skip until a time of the process's clock, and the times of alarms that cannot be read here.
  private struct SkippedSessions {
    var sessions: [SessionID: Duration] = [:]
    var alarms: [SessionID: Set<WallTime>] = [:]
    /// The sessions that are not woken for their messages, likewise.
    var messages: [SessionID: Duration] = [:]

    func wants(_ alarm: DueAlarms.Item) -> Bool {
      guard sessions[alarm.session] == nil else { return false }
      return AlarmName(bytes: alarm.name).isMessage
        ? messages[alarm.session] == nil
        : alarms[alarm.session]?.contains(alarm.time) != true
    }
  }

  /// Wakes the sessions that have an alarm that is due, a few at a time; stops while memory is full.
  private func wakeDue(_ skipped: inout SkippedSessions) async throws {
    // Messages have a time before that of all alarms, which are not to wait for them.
    let zero = WallTime(milliseconds: 0)
    let last = DueAlarms.Item(
      SessionID(high: .max, low: .max),
      viewModel: "",
      [0xFF, 0xFF],
      at: zero
    )
    var woken: [SessionID] = []
    var (tried, seen): (Set<SessionID>, Set<SessionID>) = ([], [])
    for (due, first) in [(clock.now, last), (zero, nil)] {
      var after = first
      repeat {
        guard let found = await find(dueBy: due, after: after) else { return }
        after = found.next
        // One message wakes a session; the others need not be read.
        if first == nil { after?.name = last.name }
        seen.formUnion(found.alarms.map(\.session))
        let now = time.now
        skipped.sessions = skipped.sessions.filter { $0.value > now }
        skipped.messages = skipped.messages.filter { $0.value > now }
        var rest = found.alarms.filter {
          skipped.wants($0) && viewModels.named($0.viewModel) != nil
            && !setAside.contains($0.session)
        }
        .filter { tried.insert($0.session).inserted }[...]
        while !rest.isEmpty {
          guard !context.memory.isFull, ownership.isHeld else { return }
          let some = rest.prefix(Self.wokenAtOnce)
          rest = rest.dropFirst(some.count)
          for (alarm, outcome) in try await wake(Array(some)) {
            note(outcome, of: alarm, &skipped)
          }
          woken += some.map(\.session)
          guard woken.count >= Self.wokenBetweenSleeps else { continue }
          await sleeper.putToSleep(woken)
          woken = []
        }
      } while after != nil
    }
    // The alarms of the others were cancelled, or ring elsewhere, or their sessions have ended.
    skipped.sessions = skipped.sessions.filter { seen.contains($0.key) }
    skipped.alarms = skipped.alarms.filter { seen.contains($0.key) }
  }

  /// Returns nil if the store fails.
  private func find(dueBy time: WallTime, after last: DueAlarms.Item?) async -> DueAlarms? {
    switch await context.store?.alarms(dueBy: time, after: last) {
    case .success(let found): return found
    case .failure(let error): health.failed(error)
    case nil: break
    }
    return nil
  }

  private func wake(
    _ alarms: [DueAlarms.Item]
  ) async throws -> [(DueAlarms.Item, Waker.Outcome)] {
    try await withThrowingTaskGroup { group in
      for alarm in alarms {
        group.addTask { [self] in (alarm, try await waker.wakeForNobody(alarm.session)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func note(
    _ outcome: Waker.Outcome,
    of alarm: DueAlarms.Item,
    _ skipped: inout SkippedSessions
  ) {
    let (id, now) = (alarm.session, time.now)
    switch outcome {
    // A session that is awake rings by itself, unless the alarm cannot be read here: then it is tried once.
    case .woken, .leftAlone:
      guard directory.resident(id)?.isAwake == true else { return }
      // It may have rung when the directory did not have the session yet.
      if AlarmName(bytes: alarm.name).isMessage {
        skipped.messages[id] = now + Self.pauseOfMessages
        return clock.set(alarm.time, of: id)
      }
      if let time = clock.time(of: id), time <= alarm.time { return }
      skipped.alarms[id, default: []].insert(alarm.time)
      clock.set(alarm.time, of: id)
    // The store fails, or memory is full: the next look tries again.
    case .failed: break
    case .damaged: skipped.sessions[id] = now + Self.pauseAfterDamage
    case .unreadable: skipped.sessions[id] = .seconds(Int64.max / 2)
    }
  }

  private var time: any TimeSource { context.dependencies.time }
}
