import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// Starts a timer for each number that it gets, and ends that of a negative one.
private struct Ticking: ReducerViewModel {
  typealias Input = Int
  typealias Action = Int

  var state = 0

  func transform(_ input: Int) -> [Int] { [input] }

  func reduce(state: inout Int, action: Int) -> [AsyncEffect<Int>] {
    state += 1
    switch action {
    case 0: return []
    case ..<0: return [.cancel(id: -action)]
    default: return [.timer(id: action, every: .seconds(1), action: 0)]
    }
  }
}

extension HostedViewModel {
  /// Shows a State that is long enough to be stored as a patch.
  fileprivate static let ticking = HostedViewModel(
    name: "ticking",
    summary: "",
    patches: Patches(make: { _, new in new }, apply: { patch, _ in patch }),
    read: readNumbers
  ) { _, opening in
    Engine(
      opening.dependencies,
      mailboxLimit: opening.mailboxLimit,
      committer: opening.committer,
      render: { EncodedState(Array("\($0)".utf8) + Array(repeating: 32, count: Patches.least)) },
      { Ticking() }
    )
  }
}

struct `The names of running work` {
  private let store = HeldStore()
  private let clock = TestClock()
  private let session: Session

  init() throws {
    let host = SessionHost([.ticking], dependencies: clock.dependencies, store: store)
    session = try #require(try host.create(.ticking))
    try session.submit(Array((1...20).map(String.init).joined(separator: ",").utf8))
  }

  private var stored: StoredSession {
    get throws { try #require(store.stored(session.id)) }
  }

  @Test func `are stored in whole while they are few, and then what changes of them`() async throws
  {
    #expect(try stored.entries.map(\.running.count) == Array(1...16) + [2, 2, 2, 2])
    await clock.advance(by: .seconds(1))
    try session.submit(Array("-7".utf8))
    let entries = try stored.entries
    #expect(entries[20..<40].allSatisfy { $0.running == RunningNames.asBefore })
    #expect(entries.last?.running == ["=", "-Swift.Int.7"])
    #expect(try stored.running == (1...20).filter { $0 != 7 }.map { "Swift.Int.\($0)" }.sorted())
  }

  @Test func `are stored in whole again when they are few`() async throws {
    try session.submit(Array((5...20).map { "-\($0)" }.joined(separator: ",").utf8))
    #expect(try stored.entries.last?.running == (1...4).map { "Swift.Int.\($0)" })
  }

  @Test func `are known of each version`() async throws {
    try session.submit(Array("-7,-8".utf8))
    await clock.advance(by: .seconds(1))
    let session = try stored
    let counts = try session.entries.map { entry in
      let past = try PastLookup(
        session,
        log: session.entries,
        at: .version(entry.version),
        HostedViewModel.ticking.patches
      )
      guard case .found(let past) = past else { return -1 }
      return past.head.running.count
    }
    #expect(counts == Array(1...20) + [19, 18] + Array(repeating: 18, count: 18))
  }

  @Test func `stand in each State that is stored in whole`() async throws {
    await clock.advance(by: .seconds(4))
    let session = try stored
    #expect(session.head.sequence >= CommitQueue.entriesPerHead)
    #expect(session.head.running.count == 20 && session.running.count == 20)
  }
}
