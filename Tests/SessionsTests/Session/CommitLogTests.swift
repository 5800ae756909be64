import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// A turn's result is stored first, then published; only then does the work start that it requests.
struct `A commit log` {
  private let clock = TestClock()
  private let store = HeldStore()
  private let host: SessionHost
  private let seen = Tally()

  init() {
    host = SessionHost(
      [.counting, .reducing(seen), .sleeping(seen), .reacting(seen)],
      dependencies: clock.dependencies,
      store: store
    )
  }

  /// The view models with asynchronous work, by name.
  private static let withWork = ["reducing", "sleeping", "reacting"]

  private func create(_ name: String) throws -> Session {
    let viewModel = try #require(host.viewModels.named(name))
    let session = try #require(try host.creator.create(viewModel))
    store.hold()
    return session
  }

  private func submit(_ body: String, _ key: String? = nil, to session: Session) throws {
    let submission = try session.submit(
      Array(body.utf8),
      key: key.map { RequestKey($0, digest: Array(body.utf8)) },
      observer: Observer { seen.add($0.name) }
    )
    switch submission {
    case .accepted: break
    case .running: seen.add("running")
    case .complete: seen.add("complete")
    case .mismatch: seen.add("mismatch")
    }
  }

  /// Commits the waiting changes, and all that follow from them.
  private func release() async {
    while store.waiting > 0 {
      store.release()
      await clock.idle()
    }
  }

  @Test(arguments: withWork)
  func `starts no work before the turn that requests it is stored`(name: String) async throws {
    let session = try create(name)
    try submit("1", "key", to: session)
    await clock.idle()
    #expect(seen.all == [])
    #expect(store.waiting == 1)
    await release()
    await clock.advance(by: .seconds(1))
    await release()
    #expect(seen.all.filter { $0 == "began 1" }.count == 1)
    #expect(seen.all.last == "settled")
  }

  @Test(arguments: withWork)
  func `starts no work if the store refuses the turn, and frees the key`(name: String) async throws
  {
    let session = try create(name)
    try submit("1", "key", to: session)
    store.fail(.full)
    await clock.idle()
    #expect(seen.all == ["failed: full"])
    await clock.advance(by: .seconds(1))
    try submit("1", "key", to: session)
    await clock.advance(by: .seconds(1))
    #expect(seen.all.filter { $0 == "began 1" }.count == 1)
  }

  @Test(arguments: ["sleeping", "reacting"])
  func `reports a failure as in doubt if work had begun before the store failed`(
    name: String
  ) async throws {
    let session = try create(name)
    try submit("1", "key", to: session)
    store.releaseFirst()
    await clock.idle()
    #expect(seen.all == ["began 1"])
    store.fail(.full)
    await clock.idle()
    #expect(seen.all == ["began 1", "failed: inDoubt"])
    await clock.advance(by: .seconds(1))
    try submit("1", "key", to: session)
    #expect(seen.all.last == "complete")
    #expect(seen.all.filter { $0 == "began 1" }.count == 1)
  }

  @Test func `publishes and answers in order, as each State is stored`() throws {
    let session = try create("counting")
    try submit("5", to: session)
    try submit("6", to: session)
    #expect(seen.all == [])
    #expect(session.current?.version == 1)
    store.releaseFirst()
    #expect(seen.all == ["processed"])
    #expect(session.current?.text == "5")
    store.release()
    #expect(seen.all == ["processed", "processed"])
    #expect(session.current?.text == "11")
  }

  @Test func `releases a result at once if it needs no store, unless another one waits before it`()
    throws
  {
    let session = try create("counting")
    try submit("0", to: session)
    #expect(seen.all == ["processed"])
    try submit("1", to: session)
    try submit("0", to: session)
    #expect(seen.all == ["processed"])
    store.release()
    #expect(seen.all == ["processed", "processed", "processed"])
  }

  @Test func `stores the progress of a batch with a key with each of its Inputs`() throws {
    let session = try create("counting")
    try submit("1,0,3", "key", to: session)
    store.release()
    store.release()
    let entries = store.stored(session.id)?.entries ?? []
    #expect(entries.map(\.key?.processed) == [1, 2, 3])
    #expect(entries.map(\.key?.count) == [3, 3, 3])
    #expect(entries.map(\.version) == [2, 2, 3])
    #expect(entries.map(\.outcome)[1] == .unchanged)
  }

  @Test func `publishes each Input of a batch with a key, and lets other Inputs be answered`()
    async throws
  {
    let session = try create("sleeping")
    try submit("1,2,3", "key", to: session)
    await release()
    #expect(session.current?.text == "1")
    await clock.advance(by: .seconds(1))
    await release()
    #expect(session.current?.text == "3")
    #expect(seen.all == ["began 1", "began 2"])
  }

  @Test func `continues a batch after its stored Inputs`() async throws {
    let session = try create("counting")
    try submit("1,2,4", "key", to: session)
    // The first Input was committed on its own, the others together.
    store.releaseFirst()
    store.fail(.full)
    await clock.advance(by: .seconds(1))
    #expect(seen.all == ["failed: inDoubt"])
    #expect(session.current?.text == "1")
    try submit("1,2,4", "key", to: session)
    #expect(session.current?.text == "7")
    try submit("1,2,4", "key", to: session)
    #expect(seen.all == ["failed: inDoubt", "processed", "complete"])
  }

  @Test func `stores patches between successive States, though older States are published`()
    async throws
  {
    // State is a number after a text long enough for a patch; the patch is the previous number.
    let viewModel = HostedViewModel(
      name: "long",
      summary: "",
      patches: .init { old, _ in [old.bytes.last ?? 0] },
      read: readNumbers
    ) { _, opening in
      Engine(
        opening.dependencies,
        committer: opening.committer,
        render: { EncodedState(Array(repeating: 0x20, count: 3_000) + Array("\($0)".utf8)) }
      ) { Counting() }
    }
    let session = try #require(try host.creator.create(viewModel))
    store.hold()
    for _ in 1...3 { try submit("1", to: session) }
    #expect(session.current?.version == 1)
    await release()
    let entries = store.stored(session.id)?.entries ?? []
    #expect(entries.map(\.outcome) == ["0", "1", "2"].map { .patch(Array($0.utf8)) })
  }

  @Test func `tells a joined request the same as the first`() throws {
    let session = try create("counting")
    try submit("1", "key", to: session)
    let submission = try session.submit(
      Array("1".utf8),
      key: RequestKey("key", digest: Array("1".utf8))
    )
    guard case .running(let inputs) = submission else {
      Issue.record("the key is not in progress")
      return
    }
    inputs.observe(Observer { seen.add("joined \($0.name)") })
    store.release()
    #expect(seen.all == ["processed", "joined processed"])
  }

  @Test func `stores State in whole now and then, and on request`() async throws {
    let session = try create("counting")
    for _ in 0..<70 {
      try submit("1", to: session)
      store.release()
    }
    #expect(store.stored(session.id)?.head.version == 65)
    #expect(store.stored(session.id)?.entries.map(\.version) == Array(66...71))
    session.instance?.log.storeHead()
    store.release()
    #expect(store.stored(session.id)?.head.version == 71)
    #expect(store.stored(session.id)?.entries.isEmpty == true)
    session.instance?.log.storeHead()
    #expect(store.waiting == 0)
  }
}
