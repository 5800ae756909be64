import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// A State of 16 KiB or more, which takes long to encode, compare and store.
struct `A large State` {
  private let pool = QueuedExecutor()
  private let host: SessionHost
  private let versions = Tally()

  init() {
    var dependencies = TestClock().dependencies
    dependencies.executor = pool
    host = SessionHost([.zeros], dependencies: dependencies)
  }

  private func largeSession(_ name: String = "a") throws -> Session {
    let session = try #require(try host.creator.create(.zeros))
    try session.submit(Array("16384".utf8))
    _ = session.feed.follow { [versions, unowned session] in
      versions.add("\(name)\(session.feed.current.snapshot?.version ?? 0)")
    }
    return session
  }

  @Test func `is not processed on the thread that submits an Input`() throws {
    let session = try largeSession()
    #expect(session.current?.version == 2)
    try session.submit(Array("1".utf8))
    #expect(session.current?.version == 2)
    pool.run()
    #expect(session.current?.version == 3)
    try session.submit(Array("-2".utf8))
    pool.run()
    try session.submit(Array("1".utf8))
    #expect(session.current?.version == 5)
  }

  @Test func `yields to other sessions after each of its turns`() throws {
    let sessions = try [largeSession("a"), largeSession("b")]
    for session in sessions { try session.submit(Array("1,1,1".utf8)) }
    pool.run()
    #expect(versions.all == ["a3", "b3", "a4", "b4", "a5", "b5"])
  }
}

extension HostedViewModel {
  /// Shows as many zeros as the sum of its Inputs.
  fileprivate static let zeros = HostedViewModel(
    name: "zeros",
    summary: "",
    read: readNumbers,
    open: { _, opening in
      Engine(
        opening.dependencies,
        mailboxLimit: opening.mailboxLimit,
        committer: opening.committer,
        render: { EncodedState(Array(repeating: UInt8(ascii: "0"), count: $0)) },
        { Counting() }
      )
    }
  )
}
