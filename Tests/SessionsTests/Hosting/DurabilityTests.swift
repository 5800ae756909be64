import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// Counts the ticks of a timer that the Input 0 starts.
private struct Ticking: ReducerViewModel {
  typealias Input = Int
  typealias Action = Int

  var state = 0

  func transform(_ input: Int) -> [Int] { [input] }

  func reduce(state: inout Int, action: Int) -> [AsyncEffect<Int>] {
    state += action
    return action == 0 ? [.timer(id: "timer", every: .seconds(1), action: 1)] : []
  }
}

struct `A host with a store` {
  private let clock = TestClock()
  private let store = HeldStore()
  private let host: SessionHost
  private let events = Tally()

  init() {
    let events = events
    host = SessionHost(
      [.counting],
      dependencies: clock.dependencies,
      store: store,
      report: { events.add($0.name) }
    )
  }

  /// Returns another host on the same store, as after a crash.
  private func restarted() throws -> SessionHost {
    SessionHost(
      [.counting],
      dependencies: clock.dependencies,
      store: store,
      inventory: try store.inventory()
    )
  }

  private func create() throws -> Session { try #require(try host.creator.create(.counting)) }

  private func send(_ number: Int, to session: Session, _ progress: Tally) throws {
    try session.submit(Array("\(number)".utf8), observer: Observer { progress.add($0.name) })
  }

  private func wake(_ id: SessionID, in host: SessionHost) async throws -> Session {
    let failure = Mutex<WakeFailure?>(nil)
    host.waker.wake([id]) { outcome in failure.withLock { $0 = outcome } }
    await clock.idle()
    #expect(failure.withLock { $0 } == nil)
    guard case .resident(let session) = host.directory.find(id) else { throw Refused() }
    return session
  }

  @Test func `opens a session only when it is stored`() throws {
    store.hold()
    let opened = Tally()
    host.creator.create(.counting) { opened.add((try? $0.get()) == nil ? "failed" : "opened") }
    #expect(opened.all.isEmpty)
    #expect(host.directory.count == 0)
    store.release()
    #expect(opened.all == ["opened"])
    #expect(host.directory.count == 1)
  }

  @Test func `does not open a session that could not be stored`() throws {
    store.hold()
    let opened = Tally()
    host.creator.create(.counting) { result in
      if case .failure(let error) = result { opened.add("\(error)") }
    }
    store.fail(.full)
    #expect(opened.all == ["full"])
    #expect(host.directory.count == 0)
    #expect(!host.health.isReachable)
  }

  @Test func `answers and publishes only what is stored`() throws {
    let session = try create()
    let progress = Tally()
    store.hold()
    try send(5, to: session, progress)
    #expect(progress.all.isEmpty)
    #expect(session.feed.current.snapshot?.version == 1)
    store.release()
    #expect(progress.all == ["processed"])
    #expect(session.feed.current.snapshot?.text == "5")
  }

  @Test func `reports an end only when it is stored`() throws {
    let session = try create()
    store.hold()
    let ended = Tally()
    host.ender.delete(session.id) { _ in ended.add("ended") }
    #expect(ended.all.isEmpty)
    #expect(session.feed.current.end == nil)
    #expect(host.directory.find(session.id).name == "live")
    #expect(host.directory.isAsleep(session.id))
    store.release()
    #expect(ended.all == ["ended"])
    #expect(session.feed.current.end == .deleted)
    #expect(host.directory.find(session.id).name == "ended")
    #expect(!host.directory.isAsleep(session.id))
  }

  @Test func `restores a session from the store on demand`() async throws {
    let session = try create()
    let progress = Tally()
    try send(5, to: session, progress)
    try send(6, to: session, progress)
    let second = try restarted()
    #expect(second.directory.count == 1)
    #expect(second.directory.awake == 0)
    #expect(second.directory.find(session.id).name == "asleep")
    let restored = try await wake(session.id, in: second)
    #expect(restored.feed.current.snapshot?.text == "11")
    #expect(restored.feed.current.snapshot?.version == 3)
    try send(1, to: restored, progress)
    #expect(restored.feed.current.snapshot?.version == 4)
    #expect(store.stored(session.id)?.sequence == 3)
  }

  @Test func `falls back to the stored State when the store fails`() async throws {
    let session = try create()
    let progress = Tally()
    try send(5, to: session, progress)
    store.hold()
    try send(6, to: session, progress)
    store.fail(.unreachable("gone"))
    #expect(progress.all == ["processed", "failed: unreachable(\"gone\")"])
    #expect(session.feed.current.snapshot?.text == "5")
    #expect(!host.health.isReachable)
    #expect(throws: SubmitError.asleep) { try send(1, to: session, progress) }
    await clock.advance(by: .seconds(1))
    #expect(host.health.isReachable)
    try send(7, to: session, progress)
    #expect(session.feed.current.snapshot?.text == "12")
    #expect(events.all.contains("recovered"))
  }

  @Test func `publishes a session as settled if a store failure ended its work`() async throws {
    let reducing = HostedViewModel.reducing(Tally())
    let host = SessionHost([reducing], dependencies: clock.dependencies, store: store)
    let session = try #require(try host.creator.create(reducing))
    try session.submit(Array("5".utf8))
    await clock.idle()
    #expect(!session.feed.current.isSettled)
    store.hold()
    try session.submit(Array("6".utf8))
    store.fail(.unreachable("gone"))
    await clock.advance(by: .seconds(1))
    #expect(session.isAwake && session.feed.current.isSettled)
  }

  @Test func `adopts what the store has after a lost answer`() async throws {
    let session = try create()
    let progress = Tally()
    store.hold()
    try send(5, to: session, progress)
    store.loseAnswers()
    #expect(progress.all == ["failed: inDoubt"])
    await clock.advance(by: .seconds(1))
    let same = try await wake(session.id, in: host)
    #expect(same === session)
    #expect(session.feed.current.snapshot?.text == "5")
  }

  @Test func `expires a sleeping session, counted from its last use`() async throws {
    let session = try create()
    await clock.advance(by: .seconds(1000))
    #expect(host.directory.find(session.id).name == "live")
    host.expirer.expire()
    let second = try restarted()
    await clock.advance(by: .seconds(1799))
    second.expirer.expire()
    #expect(second.directory.find(session.id).name == "asleep")
    await clock.advance(by: .seconds(1))
    second.expirer.expire()
    #expect(second.directory.find(session.id).name == "ended")
    #expect(store.stored(session.id) == nil)
  }

  @Test func `remembers after a restart which ids have ended`() throws {
    let session = try create()
    host.ender.delete(session.id)
    let second = try restarted()
    #expect(second.directory.find(session.id).name == "ended")
    #expect(second.directory.count == 0)
  }

  @Test func `accepts no more turns while too many wait for the store`() async throws {
    let session = try create()
    let progress = Tally()
    store.hold()
    for _ in 0..<512 { try send(1, to: session, progress) }
    await clock.idle()
    #expect(store.waiting <= 256)
    #expect(throws: SubmitError.queueFull) { try send(1, to: session, progress) }
    while store.waiting > 0 {
      store.release()
      await clock.idle()
    }
    #expect(session.feed.current.snapshot?.text == "512")
    #expect(progress.all.count == 512)
  }

  @Test func `continues with later turns after a whole State could not be stored`() async throws {
    let session = try create()
    let progress = Tally()
    try send(1, to: session, progress)
    await clock.idle()
    store.hold()
    host.expirer.expire()
    try send(2, to: session, progress)
    await clock.idle()
    store.fail(.full)
    await clock.idle()
    #expect(session.current?.text == "3" && progress.all.count == 2)
  }

  @Test func `stores work as running until its result is stored`() async throws {
    let reducing = HostedViewModel.reducing(Tally())
    var limits = SessionLimits()
    limits.unstoredBytes = 1
    let host = SessionHost(
      [reducing],
      limits: limits,
      dependencies: clock.dependencies,
      store: store
    )
    let session = try #require(try host.creator.create(reducing))
    for number in 1...3 { try session.submit(Array("\(number)".utf8)) }
    await clock.idle()
    store.hold()
    await clock.advance(by: .seconds(1))
    var names: [[String]] = []
    while store.waiting > 0 {
      store.releaseFirst()
      if let running = try store.stored(session.id)?.running { names.append(running) }
      await clock.idle()
    }
    #expect(session.current?.text == "6")
    #expect(names == [["unnamed"], ["unnamed"], []])
  }

  @Test func `lets a timer tick only once for the time during which the store accepts no turn`()
    async throws
  {
    let ticking = HostedViewModel(name: "ticking", summary: "", read: readNumbers) {
      start,
      opening in
      start.engine(opening) { Ticking() }
    }
    var limits = SessionLimits()
    limits.unstoredBytes = 1
    let host = SessionHost(
      [ticking],
      limits: limits,
      dependencies: clock.dependencies,
      store: store
    )
    let session = try #require(try host.creator.create(ticking))
    try session.submit(Array("0".utf8))
    await clock.idle()
    store.hold()
    // The first tick waits for the store, and one more tick waits for the first.
    await clock.advance(by: .seconds(9))
    store.letGo()
    await clock.idle()
    #expect(session.current?.text == "2")
  }
}

extension SessionEvent {
  var name: String {
    switch self {
    case .created: "created"
    case .forked: "forked"
    case .ended: "ended"
    case .invalid: "invalid"
    case .restored: "restored"
    case .wokeInterrupted: "woke interrupted"
    case .interruptedUnknown: "interrupted unknown"
    case .alarmsUnknown: "alarms unknown"
    case .unreadable: "unreadable"
    case .changed: "changed"
    case .dropped: "dropped"
    case .rang: "rang"
    case .message(_, let step, _): "message \(step)"
    case .slowTurn: "slow turn"
    case .setAside: "set aside"
    case .resumed: "resumed"
    case .lost: "lost"
    case .damaged: "damaged"
    case .storeFailed: "store failed"
    case .storeHangs: "store hangs"
    case .storeRecovered: "recovered"
    case .calendarSet: "calendar set"
    case .gapDistrusted: "gap distrusted"
    case .joined: "joined"
    case .leaseSilenced: "lease silenced"
    case .leaseRestored: "lease restored"
    case .leaseLost: "lease lost"
    case .acquired: "acquired"
    case .fenced: "fenced"
    case .putToSleep: "put to sleep"
    }
  }
}
