import Testing
import UIFusionKit

@testable import Sessions

struct `A commit queue` {
  private var queue = CommitQueue(after: 0, format: 1, running: [])

  init() {
    queue.begin(Snapshot(version: 1, state: []), format: 1)
  }

  /// Adds a turn's result; says what has to be done at once.
  private mutating func add(_ version: Int, isStored: Bool = true) -> String {
    let time = WallTime(milliseconds: 0)
    let entry = LogEntry(
      sequence: (queue.base?.sequence ?? 0) + 1,
      version: version,
      time: time,
      outcome: .unchanged
    )
    let result = TurnResult(state: EncodedState([]), version: version)
    let waiting = CommitQueue.Waiting(
      result,
      nil,
      behind: isStored ? entry.sequence : queue.base?.sequence
    )
    return "\(queue.add(waiting, isStored ? entry : nil, format: 1))"
  }

  private mutating func append() throws -> StoreChange.Append {
    let append = queue.nextAppend(SessionID(high: 1, low: 2))
    return try #require(append)
  }

  @Test mutating func `releases at once what nothing waits before`() {
    let step = add(1, isStored: false)
    #expect(step == "release")
  }

  @Test mutating func `releases nothing while somebody releases what came before`() throws {
    let waits = add(2)
    let first = try append()
    let isMine = queue.store(first)
    #expect(waits == "store" && isMine)
    // Another thread is about to release it.
    let second = add(2, isStored: false)
    #expect(second == "wait")
    let released = (0..<3).map { _ in queue.nextRelease()?.sequence }
    #expect(released == [1, 1, nil])
    let third = add(2, isStored: false)
    #expect(third == "release")
  }

  @Test mutating func `hands over one append at a time, and then all that has come meanwhile`()
    throws
  {
    _ = add(2)
    let first = try append()
    _ = (add(3), add(4))
    let early = queue.nextAppend(first.session)
    #expect(early == nil)
    _ = queue.store(first)
    let second = try append()
    #expect(second.after == 1)
    #expect(second.entries.map(\.version) == [3, 4])
  }

  @Test mutating func `once it has failed, takes nothing more and gives back what waits`() {
    _ = (add(2), add(3))
    let lost = [queue.fail(.full)?.count, queue.fail(.full)?.count]
    #expect(lost == [2, nil])
    let step = add(4)
    let append = queue.nextAppend(SessionID(high: 1, low: 2))
    #expect(step == "withdraw")
    #expect(append == nil)
  }

  @Test mutating func `is full past a number of results`() {
    for version in 2...257 {
      #expect(!queue.isFull)
      _ = add(version)
    }
    #expect(queue.isFull)
  }
}
