import FusionSessions
import Testing

@testable import FusionSessionAPI

struct `The affinity of a stream` {
  private final class Source: StreamSource {
    let id: SessionID
    let feed = SnapshotFeed()
    let identity: String? = nil

    init() {
      var generator = SystemRandomNumberGenerator()
      id = .random(using: &generator)
    }

    func requireMemory(forBody size: Int) {}
    func beginUse() {}
    func endUse() {}
  }

  private func affinity(_ sources: Source...) -> Int {
    StreamSubscription(
      sessions: sources,
      format: ServerSentEventFormat(),
      position: StreamPosition(nil, ofSeveral: false)
    ).affinity
  }

  @Test func `is that of its session, so that one thread sends what they share`() {
    let source = Source()
    let first = affinity(source)
    for _ in 1..<1024 { _ = source.feed.follow {} }
    #expect(affinity(source) == first)
    #expect(affinity(source, Source()) == first)
  }

  @Test func `changes where so many follow that they would keep one thread for long`() {
    let source = Source()
    let first = affinity(source)
    for _ in 0..<1024 { _ = source.feed.follow {} }
    #expect(affinity(source) == first &+ 1)
    for _ in 0..<1024 { _ = source.feed.follow {} }
    #expect(affinity(source) == first &+ 2)
  }

  @Test func `spreads sessions over threads`() {
    let affinities = (0..<200).map { _ in affinity(Source()) }
    // Less likely than 1 in 10^20 to fail for numbers that are spread.
    #expect(40...160 ~= affinities.count { $0.isMultiple(of: 2) })
  }

  @Test func `is there where all sessions are over`() {
    #expect(affinity() == 0)
  }
}
