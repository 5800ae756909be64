import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// Every transition from every state, as the article Architecture lists them.
///
/// A cell names the caller's next step, and the new state if the state changes.
struct `A session table` {
  @Test func `has one outcome for each transition from each state on shared nodes`() {
    let states: [Start] = [
      .unknown, .opening, .live, .lost, .asleep, .unreleased, .elsewhere, .missing, .ended,
    ]
    let expected = """
      ||unknown|opening|live|lost|asleep|unreleased|elsewhere|missing|ended|
      |-|-|-|-|-|-|-|-|-|-|
      |find|asleep|unknown|live|live|asleep|asleep|asleep|unknown|ended|
      |wake|read (reading)|go on|go on|read (reading)|read (reading)|read (reading)|ask that node|read (reading)|go on|
      |delete|acquire (acquiring)|unknown|end|end|end|acquire (acquiring)|ask that node|acquire (acquiring)|ended|
      |reserve|reserved → opening|taken|taken|taken|taken|taken|taken|taken|taken|
      |created||→ live||||||||
      |not created||→ unknown||||||||
      |perhaps created||→ unreleased||||||||
      |read|→ live|||→ live|→ live|→ live||→ live||
      |acquired|→ asleep|||||||→ asleep||
      |not found|→ missing|||end|end|→ missing||–||
      |moved|→ elsewhere|||move streams → elsewhere|→ elsewhere|→ elsewhere||→ elsewhere||
      |may be ours|→ unreleased|||–|–|–||→ unreleased||
      |unreadable|–|||move streams → unknown|→ unknown|→ unknown||–||
      |given back|–|||–|→ unknown|→ unknown||–||
      |not given back|→ unreleased|||–|→ unreleased|–||→ unreleased||
      |engine closed|||→ asleep (fallingAsleep)|||||||
      |released|||||→ unknown|||||
      |not released|||||→ unreleased|||||
      |claim for ending|–|–|delete in the store (ending)|delete in the store (ending)|delete in the store (ending)|delete in the store (ending)|–|–|–|
      |end|→ ended||close → ended|close → ended|→ ended|→ ended|→ ended|→ ended|–|
      |sweep|–|–|claim for ending|claim for ending|claim for ending|claim for ending|–|–|→ unknown|
      |fenced|–|–|move streams → unknown|move streams → unknown|–|–|–|–|–|
      |lease lost|–|–|discard|discard|→ unknown|→ unknown|→ unknown|–|–|
      """
    #expect(Self.transitions(of: states, isShared: true) == expected)
  }

  @Test func `has one outcome for each transition from each state in a single process`() {
    let states: [Start] = [.absent, .opening, .live, .lost, .asleep, .ended]
    let expected = """
      ||absent|opening|live|lost|asleep|ended|
      |-|-|-|-|-|-|-|
      |find|unknown|unknown|live|live|asleep|ended|
      |wake|go on|go on|go on|read (reading)|read (reading)|go on|
      |delete|unknown|unknown|end|end|end|ended|
      |reserve|reserved → opening|taken|taken|taken|taken|taken|
      |created||→ live|||||
      |not created||→ absent|||||
      |perhaps created||→ absent|||||
      |read||||→ live|→ live||
      |acquired|||||||
      |not found||||end|end||
      |unreadable||||–|–||
      |given back||||–|–||
      |engine closed|||→ asleep (fallingAsleep)||||
      |released|||||–||
      |claim for ending|–|–|delete in the store (ending)|delete in the store (ending)|delete in the store (ending)|–|
      |end|||close → ended|close → ended|→ ended|–|
      |sweep|–|–|claim for ending|claim for ending|claim for ending|→ absent|
      """
    #expect(Self.transitions(of: states, isShared: false) == expected)
  }

  @Test(arguments: [Start.live, .lost, .asleep, .missing])
  func `lets all callers wait while a store operation on the id runs`(start: Start) {
    var fixture = Fixture(start, isShared: true)
    fixture.work()
    #expect(fixture.table.isAsleep(Fixture.id, mayAnswer: true, now: .zero))
    #expect(fixture.outcome(of: .wake) == "wait (reading)")
    #expect(fixture.outcome(of: .delete) == "wait (reading)")
    #expect(fixture.outcome(of: .claim) == "– (reading)")
    #expect(fixture.outcome(of: .fellAsleep) == "– (reading)")
  }

  @Test func `calls waiters back in order, those that delete last, and then ends the operation`() {
    let told = Tally()
    var fixture = Fixture(.asleep, isShared: false)
    let id = Fixture.id
    fixture.work()
    _ = fixture.table.wake(id, isClientWaiting: true, mayAnswer: true, now: .zero) { _ in
      told.add("a")
    }
    _ = fixture.table.delete(id, mayAnswer: true) { _ in told.add("c") }
    _ = fixture.table.wake(id, isClientWaiting: true, mayAnswer: true, now: .zero) { _ in
      told.add("b")
    }
    let isWaitedFor = fixture.table.finish(id)
    #expect(isWaitedFor)
    while let waiters = fixture.table.takeWaiters(of: id) {
      for waiter in waiters { waiter.done(nil) }
    }
    #expect(told.all == ["a", "b", "c"])
    #expect(fixture.table.work(on: id) == nil)
  }

  @Test func `begins anew for whoever comes after work on an id has failed`() {
    var fixture = Fixture(.asleep, isShared: true)
    fixture.work()
    for isDeleting in [true, false] {
      fixture.table.update(Fixture.id) {
        $0.work?.waiters.append(.init(isDeleting: isDeleting) { _ in })
      }
    }
    #expect(fixture.table.fail(Fixture.id).map(\.isDeleting) == [false, true])
    #expect(fixture.outcome(of: .wake) == "read (reading)")
  }

  @Test func `reads a session that is requested while it falls asleep`() {
    var fixture = Fixture(.live, isShared: true)
    let id = Fixture.id
    let isClaimed = fixture.table.beginSleep(fixture.session, unlessUsedSince: .seconds(1))
    _ = fixture.table.wake(id, isClientWaiting: true, mayAnswer: true, now: .zero) { _ in }
    fixture.table.fellAsleep(fixture.session)
    let lastUse = fixture.table.beginRelease(id)
    let isWanted = fixture.table.released(id, nil)
    #expect(isClaimed && lastUse == .zero && isWanted)
    #expect(fixture.table.work(on: id) == .reading)
  }

  @Test func `answers for no session without a valid lease`() {
    var fixture = Fixture(.live, isShared: true)
    let id = Fixture.id
    #expect(fixture.table.isAsleep(id, mayAnswer: false, now: .zero))
    #expect(fixture.table.find(id, mayAnswer: false, now: .zero).name == "asleep")
    let step = fixture.table.wake(id, isClientWaiting: true, mayAnswer: false, now: .zero) { _ in }
    guard case .failed(.store(.unreachable)) = step else {
      Issue.record("the session was woken without a lease")
      return
    }
  }

  @Test func `counts the local sessions, and refuses more than the limit`() {
    var table = Fixture(.live, isShared: false).table
    #expect(table.count == 1 && table.residentCount == 1)
    let new = SessionID(high: 3, low: 4)
    let reservations = [1, 2].map { table.reserve(new, limit: $0) }
    #expect(reservations == [.full, .reserved])
    #expect(table.count == 1 && table.reservedCount == 2)
    _ = table.end([Fixture.id], .deleted, now: .zero)
    #expect(table.count == 0 && table.residentCount == 0)
  }

  @Test func `does not expire an acquired, unread session with an alarm`() {
    for hasAlarm in [true, false] {
      var table = Fixture(.unknown, isShared: true).table
      table.acquired(Fixture.id, SessionOrigin(viewModel: ""), hasAlarm: hasAlarm, now: .zero)
      #expect(table.idle(since: .seconds(9)) == (hasAlarm ? [] : [Fixture.id]))
    }
  }

  @Test(arguments: [Start.live, .lost, .asleep])
  func `ends no session before its caller has been asked about`(start: Start) {
    var table = Fixture(start, isShared: true).table
    let step = table.delete(Fixture.id, mayAnswer: true, isPermitted: false) { _ in }
    guard case .ask = step else {
      Issue.record("\(step)")
      return
    }
  }

  @Test(arguments: [Start.lost, .asleep, .unknown])
  func `wakes a session without a request only if it does not run here`(start: Start) {
    #expect(Fixture(start, isShared: true).table.canWakeForNobody(Fixture.id))
    #expect(!Fixture(.live, isShared: true).table.canWakeForNobody(Fixture.id))
  }

  @Test func `forgets the locations of other nodes' sessions beyond a limit`() {
    var table = Directory(isShared: true)
    let node = Node(7, name: "b", address: "")
    for number in 0...Directory.memoryOfOthers {
      table.remember(
        .elsewhere(node, SessionOrigin(viewModel: "")),
        of: SessionID(high: 0, low: UInt64(number))
      )
    }
    #expect(table.entries.count == 1)
  }

  private static func transitions(of states: [Start], isShared: Bool) -> String {
    var lines = ["|" + ([""] + states.map(\.rawValue)).joined(separator: "|") + "|"]
    lines.append("|" + Array(repeating: "-", count: states.count + 1).joined(separator: "|") + "|")
    for transition in Transition.allCases where isShared || !transition.isForNodes {
      let cells = states.map { state in
        guard transition.follows(state) else { return "" }
        return Fixture(state, isShared: isShared).outcome(of: transition)
      }
      lines.append("|" + ([transition.rawValue] + cells).joined(separator: "|") + "|")
    }
    return lines.joined(separator: "\n")
  }
}

enum Start: String {
  case unknown, absent, opening, live, lost, asleep, unreleased, elsewhere, missing, ended
}

private enum Transition: String, CaseIterable {
  case find, wake, delete, reserve
  case created
  case notCreated = "not created"
  case perhapsCreated = "perhaps created"
  case read, acquired
  case notFound = "not found"
  case moved
  case mayBeOurs = "may be ours"
  case unreadable
  case gaveBack = "given back"
  case notGivenBack = "not given back"
  case fellAsleep = "engine closed"
  case released
  case notReleased = "not released"
  case claim = "claim for ending"
  case end
  case sweep
  case fenced
  case loseLease = "lease lost"

  /// Whether the transition is possible in a state.
  func follows(_ state: Start) -> Bool {
    switch self {
    case .created, .notCreated, .perhapsCreated: state == .opening
    case .acquired: state == .unknown || state == .missing
    case .end: state != .absent && state != .opening
    case .read, .notFound, .moved, .mayBeOurs, .unreadable, .gaveBack, .notGivenBack:
      [.unknown, .lost, .asleep, .unreleased, .missing].contains(state)
    case .fellAsleep: state == .live
    case .released, .notReleased: state == .asleep
    default: true
    }
  }

  /// Whether the transition exists only on shared nodes.
  var isForNodes: Bool {
    switch self {
    case .moved, .mayBeOurs, .notGivenBack, .notReleased, .fenced, .loseLease: true
    default: false
    }
  }
}

/// A table with one session in a given state.
private struct Fixture {
  static let id = SessionID(high: 1, low: 2)
  private static let node = Node(7, name: "b", address: "")
  private let context: SessionContext
  let session: Session
  var table: Directory

  init(_ start: Start, isShared: Bool) {
    let dependencies = TestClock().dependencies
    let clock = WallClock(dependencies)
    context = SessionContext(
      dependencies,
      clock,
      SessionLimits(),
      MemoryGauge(limit: nil),
      store: nil,
      alarms: AlarmClock(dependencies) { _ in nil },
      timeouts: Timeouts(dependencies),
      noteNumber: 0,
      connection: SessionConnection(deliver: { _ in .failed }, follow: { _, _ in }),
      report: { _ in },
      recover: { _, _ in },
      inputReport: nil
    )
    session = Session(
      id: Self.id,
      viewModel: .counting,
      parameters: [],
      created: clock.now,
      used: .zero,
      context
    )
    table = Directory(isShared: isShared)
    let state: Directory.State
    switch start {
    case .unknown, .absent: return
    case .opening: state = .opening
    case .live:
      try? session.begin(.new(nil))
      state = .resident(session)
    case .lost: state = .resident(session)
    case .asleep: state = .asleep(.init(lastUse: .zero))
    case .unreleased: state = .asleep(.init(lastUse: .zero, isUnreleased: true))
    case .elsewhere: state = .elsewhere(Self.node, SessionOrigin(viewModel: ""))
    case .missing: state = .missing
    case .ended: state = .ended(at: .zero, .deleted)
    }
    table.set(state, of: Self.id)
  }

  /// Begins to read the session without a request.
  mutating func work() {
    table.update(Self.id) { $0.work = Directory.Work(kind: .reading) }
  }

  func outcome(of transition: Transition) -> String {
    var copy = self
    let before = copy.stateName
    let step = copy.apply(transition)
    let after = copy.stateName
    var words = step.isEmpty ? [] : [step]
    if after != before { words.append("→ \(after)") }
    if words.isEmpty { words = ["–"] }
    if let work = copy.table.work(on: Self.id) { words.append("(\(work))") }
    return words.joined(separator: " ")
  }

  private var stateName: String {
    switch table.state(of: Self.id) {
    case .unknown: "unknown"
    case .absent: "absent"
    case .opening: "opening"
    case .resident(let session): session.isAwake ? "live" : "lost"
    case .asleep(let sleep): sleep.isUnreleased ? "unreleased" : "asleep"
    case .elsewhere: "elsewhere"
    case .missing: "missing"
    case .ended: "ended"
    }
  }

  private mutating func apply(_ transition: Transition) -> String {
    let id = Self.id
    let now = Duration.seconds(1)
    switch transition {
    case .find: return table.find(id, mayAnswer: true, now: now).name
    case .wake:
      switch table.wake(id, isClientWaiting: true, mayAnswer: true, now: now, { _ in }) {
      case .awake: return "go on"
      case .waiting: return "wait"
      case .read: return "read"
      case .failed: return "ask that node"
      }
    case .delete:
      switch table.delete(id, mayAnswer: true, { _ in }) {
      case .waiting: return "wait"
      case .acquire: return "acquire"
      case .end: return "end"
      case .ask: return "ask"
      case .over(let lookup): return lookup.name
      case .failed: return "ask that node"
      }
    case .reserve: return "\(table.reserve(id, limit: 2))"
    case .created:
      try? session.begin(.new(nil))
      table.opened(session, attaching: nil)
    case .notCreated: table.openFailed(id, isInDoubt: false, now: now)
    case .perhapsCreated: table.openFailed(id, isInDoubt: true, now: now)
    case .read:
      try? session.begin(.new(nil))
      table.woke(session, now: now)
    case .acquired: table.acquired(id, SessionOrigin(viewModel: ""), now: now)
    case .notFound: return table.noteMissing(id) ? "end" : ""
    case .moved:
      return table.moved(id, to: Self.node, SessionOrigin(viewModel: "")) == nil
        ? "" : "move streams"
    case .mayBeOurs: table.noteDoubtfulOwnership(of: id, now: now)
    case .unreadable: return table.leaveUnreadable(id) == nil ? "" : "move streams"
    case .gaveBack: table.gaveBack(id, nil, idleFor: .zero, now: now)
    case .notGivenBack: table.gaveBack(id, .inDoubt, idleFor: .zero, now: now)
    case .fellAsleep:
      guard table.beginSleep(session, unlessUsedSince: now) else { return "" }
      table.fellAsleep(session)
    case .released: return table.released(id, nil) ? "read" : ""
    case .notReleased: return table.released(id, .inDoubt) ? "read" : ""
    case .claim:
      let ids = table.beginEnding([id], unlessUsedSince: nil, waitingForStore: true)
      return ids.isEmpty ? "" : "delete in the store"
    case .end: return table.end([id], .expired, now: now).sessions.isEmpty ? "" : "close"
    case .sweep:
      let idle = table.idle(since: now)
      _ = table.sweep(now: now, leftBefore: now, endedBefore: now)
      return idle.isEmpty ? "" : "claim for ending"
    case .fenced: return table.fenced(id) == nil ? "" : "move streams"
    case .loseLease: return table.loseLease().isEmpty ? "" : "discard"
    }
    return ""
  }
}
