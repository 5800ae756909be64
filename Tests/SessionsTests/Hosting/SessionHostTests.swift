import FusionSessions
import Testing
import UIFusionKit
import UIFusionTesting

struct `A session host` {
  private let clock = TestClock()
  private let host: SessionHost
  private let sleeper = HostedViewModel.sleeper

  init() {
    var limits = SessionLimits()
    limits.sessions = 3
    limits.queuedInputs = 2
    limits.idleTime = .seconds(10)
    limits.memoryOfEnded = .seconds(600)
    host = SessionHost([sleeper], limits: limits, dependencies: clock.dependencies)
  }

  private func create() throws -> Session { try #require(try host.creator.create(sleeper)) }

  @Test func `creates a session with a first snapshot at once`() throws {
    let session = try create()
    let view = session.feed.current
    #expect(view.snapshot?.version == 1)
    #expect(view.snapshot?.text == "0")
    #expect(view.isSettled)
    #expect(host.directory.find(session.id).name == "live")
  }

  @Test func `gives each session its own id and State`() async throws {
    let (a, b) = (try create(), try create())
    #expect(a.id != b.id)
    try a.submit(Array("1".utf8))
    await clock.advance(by: .seconds(1))
    #expect(a.feed.current.snapshot?.text == "1")
    #expect(b.feed.current.snapshot?.text == "0")
  }

  @Test func `creates sessions up to the limit, and another one when one has ended`() throws {
    let sessions = try (0..<3).map { _ in try create() }
    #expect(try host.creator.create(sleeper) == nil)
    host.ender.delete(sessions[0].id)
    #expect(try host.creator.create(sleeper) != nil)
  }

  @Test func `does not count a session that could not be opened`() throws {
    for _ in 0..<5 {
      #expect(throws: Refused.self) { try host.creator.create(.refusing) }
    }
    #expect(host.directory.count == 0)
    #expect(try host.creator.create(sleeper) != nil)
  }

  @Test func `deletes a session: cancels its work, notifies followers, and remembers the id`()
    async throws
  {
    let session = try create()
    let wakes = Tally()
    _ = session.feed.follow { wakes.add("wake") }
    let told = Tally()
    try session.submit(Array("1".utf8), observer: Observer { told.add($0.name) })
    host.ender.delete(session.id)
    await clock.idle()
    #expect(clock.sleepers == 0)
    #expect(told.all == ["processed", "abandoned"])
    #expect(session.feed.current.end == .deleted)
    #expect(wakes.all == ["wake"])
    #expect(host.directory.find(session.id).name == "ended")
    #expect(throws: SubmitError.ended) { try session.submit([]) }
    await clock.advance(by: .seconds(601))
    host.expirer.expire()
    #expect(host.directory.find(session.id).name == "unknown")
  }

  @Test func `expires an unused session`() async throws {
    let session = try create()
    await clock.advance(by: .seconds(5))
    _ = host.directory.find(session.id)
    await clock.advance(by: .milliseconds(9_999))
    host.expirer.expire()
    #expect(host.directory.count == 1)
    await clock.advance(by: .milliseconds(1))
    host.expirer.expire()
    #expect(host.directory.count == 0)
    #expect(session.feed.current.end == .expired)
    #expect(host.directory.find(session.id).name == "ended")
  }

  @Test func `keeps a working session, and counts its idle time from the end of the work`()
    async throws
  {
    var limits = SessionLimits()
    limits.idleTime = .milliseconds(700)
    let host = SessionHost([sleeper], limits: limits, dependencies: clock.dependencies)
    let session = try #require(try host.creator.create(sleeper))
    // The session works for a second, and nobody waits for the result.
    try session.submit(Array("1".utf8))
    for _ in 0..<2 {
      await clock.advance(by: .milliseconds(800))
      host.expirer.expire()
      #expect(host.directory.count == 1)
    }
    await clock.advance(by: .milliseconds(100))
    host.expirer.expire()
    #expect(host.directory.find(session.id).name == "ended")
  }

  @Test func `expires a session with only background work`() async throws {
    let viewModel = HostedViewModel.listening
    let host = SessionHost([viewModel], dependencies: clock.dependencies)
    let session = try #require(try host.creator.create(viewModel))
    try session.submit(Array("1".utf8))
    await clock.advance(by: host.limits.idleTime)
    host.expirer.expire()
    #expect(host.directory.find(session.id).name == "ended")
  }

  @Test func `evaluates a condition when the Inputs' turn has come`() async throws {
    let session = try create()
    let told = Tally()
    try session.submit(Array("1".utf8))
    #expect(session.feed.current.snapshot?.version == 1)
    for version in [1, 2] {
      try session.submit(
        Array("1".utf8),
        if: { $0 == version },
        observer: Observer { told.add("\(version) \($0.name)") }
      )
    }
    await clock.advance(by: .seconds(2))
    #expect(told.all == ["1 refused", "2 processed", "2 settled"])
  }

  @Test func `keeps a session that is in use`() async throws {
    let session = try create()
    session.beginUse()
    await clock.advance(by: .seconds(60))
    host.expirer.expire()
    #expect(host.directory.count == 1)
    session.endUse()
    await clock.advance(by: .seconds(9))
    host.expirer.expire()
    #expect(host.directory.count == 1)
    await clock.advance(by: .seconds(1))
    host.expirer.expire()
    #expect(host.directory.count == 0)
  }

  @Test func `keeps a session whose Inputs wait to be processed`() async throws {
    let session = try create()
    for _ in 0..<3 { try session.submit(Array("1".utf8)) }
    await clock.advance(by: .seconds(1))
    let told = Tally()
    try session.submit(Array("1".utf8), observer: Observer { told.add($0.name) })
    // No request has come since, and one Input still waits.
    await clock.advance(by: .milliseconds(500))
    var limits = SessionLimits()
    limits.idleTime = .milliseconds(100)
    host.expirer.expire()
    #expect(host.directory.count == 1)
    await clock.advance(by: .seconds(3))
    #expect(told.all == ["processed", "settled"])
  }

  @Test func `expires sessions on its own while its expirer runs`() async throws {
    _ = try create()
    let expiring = Task(executorPreference: clock.executor) { [host] in
      try? await host.expirer.run(wakingInterrupted: false)
    }
    await clock.advance(by: .seconds(11))
    #expect(host.directory.count == 0)
    expiring.cancel()
    await expiring.value
  }

  @Test func `refuses Inputs beyond the queue's limit, and accepts more later`() async throws {
    let session = try create()
    for _ in 0..<3 { try session.submit(Array("1".utf8)) }
    #expect(throws: SubmitError.queueFull) { try session.submit(Array("1".utf8)) }
    await clock.advance(by: .seconds(1))
    try session.submit(Array("1".utf8))
    await clock.advance(by: .seconds(3))
    #expect(session.feed.current.snapshot?.text == "4")
  }

  @Test func `frees the view model of an ended session`() async throws {
    let freed = Tally()
    do {
      let session = try #require(
        try host.creator.create(.sleeper { freed.add("freed") })
      )
      try session.submit(Array("1".utf8))
      host.ender.delete(session.id)
    }
    await clock.idle()
    #expect(freed.all == ["freed"])
  }
}

struct `A feed's followers` {
  @Test func `share one text of a snapshot per format`() {
    let snapshot = Snapshot(version: 7, state: Array("{}".utf8))
    let formats: [(String, any Any.Type)] = [("a", Int.self), ("b", Bool.self), ("c", String.self)]
    let made = Tally()
    for _ in 0..<3 {
      for (name, type) in formats {
        let text = snapshot.bytes(in: ObjectIdentifier(type)) { snapshot in
          made.add(name)
          return Array("\(name)\(snapshot.version)".utf8)
        }
        #expect(text == Array("\(name)7".utf8))
      }
    }
    #expect(made.all == ["a", "b", "c"])
  }
}
