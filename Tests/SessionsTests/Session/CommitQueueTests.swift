import Testing

@testable import FusionSessions
@testable import UIFusionKit

struct `A commit queue` {
  private let id = SessionID(high: 1, low: 2)
  private var queue = CommitQueue(after: nil, byteLimit: 1_000)
  /// The appends to the store, in order.
  private var appends: [StoreChange.Append] = []

  init() {
    queue.begin(Snapshot(version: 1, state: []), format: 1)
  }

  /// Adds a turn's result; returns the next step.
  private mutating func add(
    _ version: Int,
    isStored: Bool = true,
    bytes: Int = 0,
    alarmBytes: Int? = nil,
    isWhole: Bool = false,
    running: [String] = []
  )
    -> String
  {
    let time = WallTime(milliseconds: 0)
    let entry = LogEntry(
      sequence: (queue.base?.sequence ?? 0) + 1,
      version: version,
      time: time,
      outcome: isWhole ? .state([]) : .unchanged,
      running: .all(running),
      trace: Array(repeating: 0x20, count: bytes)
    )
    var result = TurnResult(state: EncodedState([]), version: version)
    if let alarmBytes {
      let action = Array(repeating: UInt8(0x20), count: alarmBytes)
      let alarm = Alarm(AlarmName("tea"), at: 5, action, nil)
      let change = AlarmChange(name: alarm.name, kind: .set(alarm), next: 5, isAnySet: true)
      result.work.append(.alarm(change))
    }
    let waiting = CommitQueue.Waiting(
      result,
      nil,
      behind: isStored ? entry.sequence : queue.base?.sequence
    )
    switch queue.add(waiting, isStored ? entry : nil, format: 1, of: id) {
    case .release: return "release"
    case .store(let append):
      appends.append(append)
      return "store"
    case .wait: return "wait"
    case .withdraw: return "withdraw"
    }
  }

  @Test mutating func `stores State in whole once the entries since then weigh a quarter of it`()
    throws
  {
    begin(stateBytes: 40_000)
    // Each entry weighs 64 bytes in addition to its own.
    for version in 2...202 { try addStored(version, bytes: 36) }
    #expect(heads == [100, 200])
  }

  @Test mutating func `counts the names of running work`() throws {
    begin(stateBytes: 1_000_000)
    let names = (0..<100).map { _ in String(repeating: "n", count: 50) }
    for version in 2...140 { try addStored(version, running: names) }
    #expect(heads == [64, 128])
    #expect(appends.last?.entries.first?.size == 5_064)
  }

  @Test mutating func `continues to count what was stored before the session slept`() throws {
    let position = StoredPosition(
      sequence: 100,
      head: 2,
      bytesAfterHead: 9_900,
      version: 1,
      format: 1,
      state: [],
      running: []
    )
    queue = CommitQueue(after: position, byteLimit: 1_000)
    begin(stateBytes: 40_000)
    for version in 2...4 { try addStored(version, bytes: 36) }
    #expect(heads == [101])
  }

  @Test mutating func `retries to store State in whole`() throws {
    begin(stateBytes: 40_000)
    for version in 2...71 { try addStored(version) }
    let head = queue.headAppend(id)
    #expect(head?.head?.sequence == 70)
    queue.headFailed()
    try addStored(72)
    #expect(heads == [71])
  }

  private mutating func begin(stateBytes count: Int) {
    queue.begin(Snapshot(version: 1, state: Array(repeating: 0x20, count: count)), format: 1)
  }

  /// Adds an entry, and stores it at once.
  private mutating func addStored(
    _ version: Int,
    bytes: Int = 0,
    running: [String] = []
  ) throws {
    _ = add(version, bytes: bytes, running: running)
    _ = queue.store(try #require(appends.last))
    while queue.nextRelease() != nil {}
  }

  /// The numbers of the entries at which State was stored in whole.
  private var heads: [Int] {
    appends.filter { $0.head != nil }.map { $0.after + $0.entries.count }
  }

  @Test mutating func `releases a result at once if none waits before it`() {
    let step = add(1, isStored: false)
    #expect(step == "release")
  }

  @Test mutating func `releases nothing while another thread releases an earlier result`() throws {
    let stores = add(2)
    let first = queue.store(try #require(appends.first))
    #expect(stores == "store" && first?.sequence == 1)
    // Another thread is about to release it.
    let second = add(2, isStored: false)
    #expect(second == "wait")
    let released = (0..<2).map { _ in queue.nextRelease()?.sequence }
    #expect(released == [1, nil])
    let third = add(2, isStored: false)
    #expect(third == "release")
  }

  @Test mutating func `returns one append at a time, and then all entries added meanwhile`() throws
  {
    _ = (add(2), add(3), add(4))
    #expect(appends.count == 1)
    _ = queue.store(try #require(appends.first))
    let next = queue.nextAppend(id)
    let second = try #require(next)
    #expect(second.after == 1)
    #expect(second.entries.map(\.version) == [3, 4])
  }

  @Test mutating func `accepts nothing after a failure, and gives back the waiting results`() {
    _ = (add(2), add(3))
    let lost = [queue.fail(.full) { _ in }?.count, queue.fail(.full) { _ in }?.count]
    #expect(lost == [2, nil])
    let step = add(4)
    let append = queue.nextAppend(id)
    #expect(step == "withdraw")
    #expect(append == nil)
  }

  @Test mutating func `is full at a number of results`() {
    queue = CommitQueue(after: nil, byteLimit: .max)
    begin(stateBytes: 0)
    for version in 2...257 {
      #expect(!queue.isFull)
      _ = add(version)
    }
    #expect(queue.isFull)
  }

  @Test mutating func `is full at a number of bytes, until they are stored`() throws {
    for version in [2, 4] {
      let first = add(version, bytes: 600)
      #expect(first == "store" && !queue.isFull)
      _ = add(version + 1, bytes: 600)
      #expect(queue.isFull)
      _ = queue.store(try #require(appends.last))
      #expect(!queue.isFull)
      let rest = queue.nextAppend(id)
      _ = queue.store(try #require(rest))
      while queue.nextRelease() != nil {}
    }
  }

  @Test mutating func `counts the bytes of alarms, too`() throws {
    _ = (add(2, alarmBytes: 600), add(3, alarmBytes: 600))
    #expect(queue.isFull)
    _ = queue.store(try #require(appends.first))
    #expect(!queue.isFull)
  }

  @Test mutating func `requests a whole State many entries, or a day, after the last one`() {
    let start = WallTime(milliseconds: 0)
    #expect(queue.base?.needsFullState(at: start) == true)
    queue.begin(Snapshot(version: 1, state: []), format: 1, lastFullState: (0, start))
    let day: Int64 = 24 * 3_600_000
    #expect(
      [day - 1, day].map { queue.base?.needsFullState(at: WallTime(milliseconds: $0)) } == [
        false, true,
      ]
    )
    for _ in 1..<CommitQueue.entriesPerFullState {
      #expect(queue.base?.needsFullState(at: start) == false)
      _ = add(1)
    }
    #expect(queue.base?.needsFullState(at: start) == true)
    // A turn that leaves State unchanged is no whole State.
    _ = add(1)
    #expect(queue.base?.needsFullState(at: start) == true)
    _ = add(2, isWhole: true)
    #expect(queue.base?.needsFullState(at: start) == false)
  }
}
