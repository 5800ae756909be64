import Synchronization
import Testing
import UIFusionKit

@testable import Sessions

struct `A journal` {
  private let store = HeldStore()
  private let id = SessionID(high: 1, low: 2)
  private let seen = Tally()
  private let journal: Journal

  init() {
    let failures = seen
    journal = Journal(
      of: id,
      in: store,
      from: nil,
      now: { WallTime(milliseconds: 7) },
      failed: { _ in failures.add("failed") }
    )
    let first = StoredHead(sequence: 0, version: 1, format: 1, state: Array("0".utf8))
    let time = WallTime(milliseconds: 0)
    journal.record(snapshot(1), format: 1)
    store.commit(
      .create(
        StoredSession(id: id, viewModel: "v", created: time, used: time, head: first)
      )
    ) { _ in }
    store.hold()
  }

  private func snapshot(_ version: Int) -> Snapshot {
    Snapshot(version: version, state: Array("\(version - 1)".utf8))
  }

  /// Records a version, and lets it be seen once it may.
  private func publish(_ version: Int) {
    journal.record(snapshot(version), format: 1)
    journal.pass(
      .answer(stored: { [seen] in seen.add("\(version)") }) { [seen] error in
        seen.add("\(version) \(error)")
      }
    )
  }

  private var stored: StoredSession? { store.stored(id) }

  @Test func `shows a State when it is stored, and not before`() {
    publish(2)
    #expect(seen.all.isEmpty)
    #expect(stored?.sequence == 0)
    store.release()
    #expect(seen.all == ["2"])
    #expect(stored?.entries.map(\.outcome) == [.state(Array("1".utf8))])
    #expect(stored?.used == WallTime(milliseconds: 7))
  }

  @Test func `passes everything in order, each thing behind what was recorded before it`() {
    publish(2)
    publish(3)
    journal.pass { [seen] in seen.add("beside") }
    store.releaseFirst()
    #expect(seen.all == ["2"])
    journal.pass { [seen] in seen.add("after") }
    store.release()
    #expect(seen.all == ["2", "3", "beside", "after"])
  }

  @Test func `passes at once what has nothing before it`() {
    journal.pass { [seen] in seen.add("now") }
    #expect(seen.all == ["now"])
  }

  @Test func `shows nothing more when the store has failed, and tells who waits`() {
    publish(2)
    journal.pass { [seen] in seen.add("frame") }
    store.fail(.full)
    #expect(seen.all == ["failed", "2 full"])
    publish(3)
    #expect(seen.all == ["failed", "2 full", "3 full"])
    #expect(stored?.sequence == 0)
  }

  @Test func `stores an answer together with all that its Inputs did`() throws {
    journal.hold()
    publish(2)
    publish(3)
    #expect(store.waiting == 0)
    let receipt = Receipt(.settled, snapshot(3), preferences: "")
    let answer = KeyedAnswer(key: "k", body: [1], receipt: receipt, time: WallTime(milliseconds: 7))
    journal.release(with: answer)
    #expect(store.waiting == 1)
    store.release()
    #expect(seen.all == ["2", "3"])
    #expect(stored?.entries.map(\.version) == [2, 3])
    #expect(stored?.entries.map { $0.answer != nil } == [false, true])
    #expect(stored?.answers == [answer])
  }

  @Test func `keeps with a State what led to it and what was running`() {
    journal.trace(Array(#"{"input":"a"}"#.utf8))
    journal.trace(Array(#"{"input":"b"}"#.utf8))
    journal.announce(running: ["timer"])
    publish(2)
    publish(3)
    store.release()
    let traces = stored?.entries.map { String(decoding: $0.trace, as: UTF8.self) }
    #expect(traces == ["{\"input\":\"a\"}\n{\"input\":\"b\"}\n", ""])
    #expect(stored?.entries.first?.running == ["timer"])
  }

  @Test func `cuts a trace that no State ends, and keeps the newest of it`() {
    let event = [UInt8](repeating: UInt8(ascii: "x"), count: 30_000)
    for _ in 0..<5 { journal.trace(event) }
    journal.trace(Array("last".utf8))
    publish(2)
    journal.trace([UInt8](repeating: UInt8(ascii: "x"), count: 70_000))
    publish(3)
    store.release()
    let traces = stored?.entries.map(\.trace) ?? []
    #expect(traces.map(\.count).allSatisfy { $0 < 66_000 })
    #expect(traces.first?.starts(with: "{\"cut\":true}\nxxx".utf8) == true)
    #expect(traces.first.map { String(decoding: $0.suffix(7), as: UTF8.self) } == "x\nlast\n")
    #expect(traces.last.map { String(decoding: $0, as: UTF8.self) } == "{\"cut\":true}\n")
  }

  @Test func `stores State in whole now and then, and when asked to`() {
    for version in 2...70 {
      publish(version)
      store.release()
    }
    #expect(stored?.head.version == 65)
    #expect(stored?.entries.map(\.version) == Array(66...70))
    journal.recordHead()
    store.release()
    #expect(
      stored?.head == StoredHead(sequence: 69, version: 70, format: 1, state: Array("69".utf8))
    )
    #expect(stored?.entries.isEmpty == true)
    journal.recordHead()
    #expect(store.waiting == 0)
  }

  @Test func `goes on where the store is`() {
    let position = Journal.Position(sequence: 4, version: 9, format: 1, state: Array("8".utf8))
    let other = SessionID(high: 3, low: 4)
    let journal = Journal(
      of: other,
      in: store,
      from: position,
      now: { WallTime(milliseconds: 7) },
      failed: { _ in }
    )
    journal.record(snapshot(9), format: 1)
    #expect(store.waiting == 0)
    journal.record(snapshot(10), format: 1)
    guard case .append(let append) = store.changes.first else {
      Issue.record("nothing was handed over")
      return
    }
    #expect(append.after == 4)
    #expect(append.entries.map(\.sequence) == [5])
    #expect(append.entries.map(\.version) == [10])
  }
}
