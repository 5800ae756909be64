import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

struct `A session that was interrupted at work` {
  private let store = HeldStore()

  /// A process with a clock of its own.
  private struct Service {
    let clock = TestClock()
    let host: SessionHost
    let events = Tally()

    init(
      _ store: HeldStore,
      _ viewModels: [HostedViewModel] = [.counting, .climbing, .listening],
      idleTime: Duration = .seconds(1_800)
    ) throws {
      let events = events
      var limits = SessionLimits()
      limits.idleTime = idleTime
      host = SessionHost(
        viewModels,
        limits: limits,
        dependencies: clock.dependencies,
        store: store,
        inventory: try store.inventory(),
        report: {
          if case .wokeInterrupted(let count, let failed) = $0 {
            events.add("woke \(count), failed \(failed)")
          }
        }
      )
    }

    /// Creates a session and sends it a number; the resulting work stays unfinished.
    func begin(_ name: String, _ number: Int) throws -> SessionID {
      let viewModel = try #require(host.viewModels.named(name))
      let session = try #require(try host.creator.create(viewModel))
      try session.submit(Array("\(number)".utf8))
      return session.id
    }

    func wakeInterrupted() async throws {
      try await Task(executorPreference: clock.executor) { [host] in
        try await host.takeOver.run()
      }.value
      await clock.idle()
    }
  }

  /// The stored State, as text.
  private func stored(_ id: SessionID) -> String? {
    store.stored(id).flatMap { try? HostedViewModel.counting.position(of: $0) }
      .map { String(decoding: $0.state, as: UTF8.self) }
  }

  @Test func `resumes in the next process without a request`() async throws {
    let id = try Service(store).begin("climbing", 5)
    let next = try Service(store)
    try await next.wakeInterrupted()
    #expect(stored(id) == "0")
    await next.clock.advance(by: .seconds(1))
    #expect(stored(id) == "5")
    #expect(next.events.all == ["woke 1, failed 0"])
  }

  @Test func `is woken, while idle sessions stay asleep`() async throws {
    let first = try Service(store)
    let resting = try first.begin("counting", 1)
    let interrupted = try (1...20).map { try first.begin("climbing", $0) }
    let next = try Service(store)
    try await next.wakeInterrupted()
    #expect(next.host.directory.awake == 20)
    #expect(next.host.directory.isAsleep(resting))
    await next.clock.advance(by: .seconds(1))
    #expect(interrupted.map { stored($0) } == (1...20).map { "\($0)" })
  }

  @Test func `goes back to sleep when its work is done`() async throws {
    _ = try Service(store).begin("climbing", 5)
    let next = try Service(store)
    await next.clock.advance(by: .seconds(60))
    try await next.wakeInterrupted()
    await next.host.sleeper.putIdleToSleep()
    #expect(next.host.directory.awake == 1)
    await next.clock.advance(by: .seconds(1))
    await next.host.sleeper.putIdleToSleep()
    #expect(next.host.directory.awake == 0 && next.host.directory.count == 1)
  }

  @Test func `with only background work expires as if it had stayed asleep`() async throws {
    let id = try Service(store).begin("listening", 5)
    let next = try Service(store)
    await next.clock.advance(by: .seconds(100))
    try await next.wakeInterrupted()
    await next.clock.advance(by: .seconds(1_699))
    next.host.expirer.expire()
    #expect(next.host.directory.count == 1)
    await next.clock.advance(by: .seconds(1))
    next.host.expirer.expire()
    #expect(next.host.directory.find(id).name == "ended")
  }

  @Test func `is available to a request while it is being woken`() async throws {
    let id = try Service(store).begin("climbing", 5)
    let next = try Service(store)
    await next.clock.advance(by: .seconds(100))
    let answers = Tally()
    next.host.waker.wake(id, isClientWaiting: false) { _ in answers.add("nobody") }
    next.host.waker.wake([id]) { _ in answers.add("client") }
    await next.clock.idle()
    #expect(answers.all == ["nobody", "client"])
    #expect(next.host.directory.withLock { $0.resident(id)?.use.idleSince } == .seconds(100))
  }

  @Test(arguments: ["climbing", "listening"])
  func `is woken even if it is overdue, and expires when its work is done`(
    name: String
  ) async throws {
    let id = try Service(store).begin(name, 5)
    let next = try Service(store)
    await next.clock.advance(by: .seconds(1_800))
    let expiring = Task(executorPreference: next.clock.executor) { [host = next.host] in
      try await host.expirer.run(wakingInterrupted: true)
    }
    await next.clock.idle()
    if name == "climbing" {
      await next.clock.advance(by: .seconds(1_800))
      #expect(stored(id) == "5")
    }
    await next.clock.advance(by: .seconds(31))
    #expect(next.host.directory.find(id).name == "ended")
    expiring.cancel()
    await next.clock.idle()
  }

  @Test func `does not keep the last uses of other sessions from being stored`() async throws {
    let first = try Service(store)
    let other = try first.begin("counting", 1)
    _ = try first.begin("climbing", 5)
    let next = try Service(store, idleTime: .seconds(20))
    store.hold()
    let expiring = Task(executorPreference: next.clock.executor) { [host = next.host] in
      try await host.expirer.run(wakingInterrupted: true)
    }
    await next.clock.advance(by: .seconds(1.5))
    next.host.waker.wake([other]) { _ in }
    await next.clock.advance(by: .seconds(1))
    let isStored = store.changes.contains {
      if case .use(let uses) = $0 { uses[other] != nil } else { false }
    }
    #expect(isStored)
    #expect(next.events.all == [])
    expiring.cancel()
    store.letGo()
    await next.clock.idle()
  }

  @Test func `does not block the wake-up if memory stays full`() async throws {
    let id = try Service(store).begin("climbing", 5)
    var large = try #require(store.stored(id))
    large.head.state += Array(repeating: UInt8(ascii: " "), count: 3_000)
    let other = HeldStore()
    other.commit(.create(large)) { _ in }
    let next = try Service(other)
    next.host.memory.set(isFull: true)
    let waking = Task(executorPreference: next.clock.executor) { [host = next.host] in
      try await host.takeOver.run()
    }
    await next.clock.advance(by: .seconds(2))
    try await waking.value
    #expect(next.events.all == ["woke 0, failed 1"])
  }

  @Test func `does not expire while it is being woken`() async throws {
    let id = try Service(store).begin("climbing", 5)
    let next = try Service(store)
    await next.clock.advance(by: .seconds(1_800))
    store.hold()
    next.host.waker.wake(id, isClientWaiting: false) { _ in }
    await next.clock.idle()
    next.host.expirer.expire()
    store.letGo()
    await next.clock.advance(by: .seconds(1))
    #expect(stored(id) == "5")
  }

  @Test func `expires if it has become unreadable`() async throws {
    let service = try Service(store)
    let id = try service.begin("climbing", 5)
    store.hold()
    await service.clock.advance(by: .seconds(1))
    store.damage(id)
    store.fail(.full)
    await service.clock.advance(by: .seconds(1))
    await service.clock.advance(by: service.host.limits.idleTime)
    service.host.expirer.expire()
    #expect(service.host.directory.find(id).name == "ended")
  }

  @Test func `does not expire while a store failure keeps it from being woken`() async throws {
    let first = try Service(store)
    let session = try #require(try first.host.creator.create(.climbing))
    store.hold()
    try session.submit(Array("5".utf8))
    store.releaseFirst()
    await first.clock.advance(by: .seconds(1))
    // The work is done, and its result is lost with the commit.
    store.fail(.full)
    store.hold()
    await first.clock.advance(by: .seconds(1_801))
    first.host.expirer.expire()
    #expect(first.host.directory.count == 1)
    store.letGo()
    await first.clock.advance(by: .seconds(3))
    #expect(session.current?.text == "5")
  }

  @Test func `does not keep other sessions asleep if it is unreadable`() async throws {
    let first = try Service(store)
    let ids = try (1...3).map { try first.begin("climbing", $0) }
    store.damage(ids[1])
    let next = try Service(store)
    try await next.wakeInterrupted()
    #expect(ids.map { next.host.directory.isAsleep($0) } == [false, true, false])
    #expect(next.events.all == ["woke 2, failed 1"])
  }

  @Test func `stays asleep if its view model is not hosted`() async throws {
    _ = try Service(store).begin("climbing", 5)
    let next = try Service(store, [.counting])
    try await next.wakeInterrupted()
    #expect(next.host.directory.awake == 0)
    #expect(next.events.all == [])
  }
}

/// Adds a number after a second, and restarts the addition if it was interrupted.
private struct Climbing: ReducerViewModel {
  typealias Input = Int
  typealias State = Int
  enum Action: Sendable { case begin(Int), add(Int) }
  private struct Climb: Hashable, Sendable { let number: Int }

  var state = 0
  let time: any TimeSource

  func transform(_ input: Int) -> [Action] { [.begin(input)] }

  func restored(_ interrupted: Interrupted) -> [Action] {
    (1...20).filter { interrupted.contains(Climb(number: $0)) }.map { .begin($0) }
  }

  func reduce(state: inout Int, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .begin(let number):
      return [
        .runAction(id: Climb(number: number)) { [time] in
          try await time.sleep(for: .seconds(1))
          return .add(number)
        }
      ]
    case .add(let number):
      state += number
      return []
    }
  }
}

extension HostedViewModel {
  fileprivate static let climbing = HostedViewModel(
    name: "climbing",
    summary: "",
    read: readNumbers
  ) { start, opening in
    start.engine(opening) { Climbing(time: opening.dependencies.time) }
  }
}
