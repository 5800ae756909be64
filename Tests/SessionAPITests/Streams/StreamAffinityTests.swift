import FusionSessions
import Testing

@testable import FusionSessionAPI

struct `The affinity of a stream` {
  private final class Source: StreamSource {
    let id: SessionID
    let feed = SnapshotFeed()
    let origin = SessionOrigin(viewModel: "counter")

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

  @Test func `is its session's, so that one thread sends the session's shared events`() {
    let source = Source()
    let first = affinity(source)
    for _ in 1..<1024 { _ = source.feed.follow {} }
    #expect(affinity(source) == first)
    #expect(affinity(source, Source()) == first)
  }

  @Test func `changes after every 1,024 followers, so that no thread serves too many`() {
    let source = Source()
    let first = affinity(source)
    for _ in 0..<1024 { _ = source.feed.follow {} }
    #expect(affinity(source) == first &+ 1)
    for _ in 0..<1024 { _ = source.feed.follow {} }
    #expect(affinity(source) == first &+ 2)
  }

  @Test func `spreads sessions over threads`() {
    let affinities = (0..<200).map { _ in affinity(Source()) }
    // Fails for spread numbers less than once in 10^20 runs.
    #expect(40...160 ~= affinities.count { $0.isMultiple(of: 2) })
  }

  @Test func `is 0 if all sessions have ended`() {
    #expect(affinity() == 0)
  }
}
