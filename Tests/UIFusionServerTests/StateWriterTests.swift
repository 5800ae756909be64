import FusionSessions
import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit

@testable import UIFusionServer

/// An element that reports each time it is encoded.
private struct Asked: Encodable, Identifiable {
  @TaskLocal static var note: @Sendable () -> Void = {}
  var number: Int
  var id: Int { number }

  func encode(to encoder: any Encoder) throws {
    Self.note()
    var value = encoder.singleValueContainer()
    try value.encode(number)
  }
}

private struct Item: Encodable {
  @Pulse var name: String
  var text: String
}

private struct Priced: Codable, Equatable, Sendable {
  var number: Int
  @Private var cost = 0
}

private struct Member: Encodable, Identifiable {
  let id: Int
  var text = "x"
}

struct `The writer of a session's States` {
  private func encoded<State: Encodable & Sendable>(
    _ state: State,
    _ writer: StateWriter<State>? = nil,
    limit: Int = 1 << 20
  ) throws -> EncodedState {
    let writer = writer ?? self.writer(limit: limit)
    return try #require(writer.encoded(state) as? EncodedState)
  }

  private func writer<State: Encodable & Sendable>(
    for type: State.Type = State.self,
    limit: Int = 1 << 20
  ) -> StateWriter<State> {
    StateWriter(SizeHints(), limit: limit) { _ in }
  }

  @Test func `computes the digest of a long State's Pulses each time anew`() throws {
    var items = (0..<100).map { Item(name: "\($0)", text: String(repeating: "x", count: 50)) }
    let writer = writer(for: [Item].self)
    for round in 0..<6 {
      if round > 2 { items[50].name = "\(round)" }
      let (state, alone) = try (encoded(items, writer), encoded(items))
      #expect(state.pulses == alone.pulses)
      #expect(state.bytes == alone.bytes)
    }
  }

  @Test func `encodes a State once if the stored and the shown form are the same`() throws {
    let state = try encoded(["a"])
    #expect(
      state.bytes.withUnsafeBytes(\.baseAddress) == state.stored.withUnsafeBytes(\.baseAddress)
    )
  }

  @Test func `keeps the private members of list elements`() throws {
    var items = (0..<500).map { Priced(number: $0) }
    let writer = writer(for: [Priced].self)
    for round in 0..<8 {
      if round > 2 { items[40 * round].cost = round }
      if round > 4 { items[30 * round].number = -1 }
      let (state, alone) = try (encoded(items, writer), encoded(items))
      #expect(state.bytes == alone.bytes)
      #expect(try StrictJSON.decode([Priced].self, from: state.stored) == items)
      #expect(!String(decoding: state.bytes, as: UTF8.self).contains("cost"))
    }
  }

  @Test func `limits the larger of the stored and the shown form`() throws {
    let state = Private(String(repeating: "x", count: 100))
    #expect(try encoded(["a": state]).invalid == nil)
    #expect(try encoded(["a": state], limit: 100).invalid == .tooLarge(limit: 100))
    #expect(try encoded(["a": Private(String(repeating: "x", count: 20_000))]).wasCostly)
  }

  @Test func `names a member that cannot be encoded, unless it is private`() throws {
    let plain = try encoded(["ratio": Double.nan]).invalid
    let secret = try encoded(["ratio": Private(Double.nan)]).invalid
    guard case .notWritable("ratio", _) = plain, case .notWritable(nil, _) = secret else {
      Issue.record("\(plain) \(secret)")
      return
    }
  }

  @Test func `counts shared bytes as no work, however many there are`() throws {
    var rows = IdentifiedArray((0..<10_000).map { Member(id: $0) })
    let writer = writer(for: IdentifiedArray<Member>.self)
    for round in 0..<12 {
      rows[id: 5]?.text += "\(round)"
      let state = try encoded(rows, writer)
      #expect(state.text.count > 16 << 10)
      #expect(state.wasCostly == (round < 5))
    }
    rows[id: 10_000] = Member(id: 10_000)
    #expect(try encoded(rows, writer).wasCostly)
  }

  @Test func `keeps no copy of a State that is short or too large`() {
    let writer = writer(for: IdentifiedArray<Asked>.self, limit: 10_000)
    let short = IdentifiedArray((1_000..<1_100).map(Asked.init))
    let long = IdentifiedArray((1_000..<2_000).map(Asked.init))
    let tooLarge = IdentifiedArray((1_000..<6_000).map(Asked.init))
    let counts = [short, long, long, long, tooLarge, long, short, long, short, short].map { list in
      let asked = Mutex(0)
      Asked.$note.withValue({ asked.withLock { $0 += 1 } }) { _ = writer.encoded(list) }
      return asked.withLock { $0 }
    }
    #expect(counts == [100, 1_000, 1_000, 0, 5_000, 1_000, 100, 1_000, 100, 100])
  }

  @Test func `continues after an invalid State`() throws {
    var numbers = Array(repeating: 0.25, count: 1_000)
    let writer = writer(for: [Double].self, limit: 6_000)
    for count in [1_000, 1_000, 1_000, 2_000, 1_000, 10, 1_000, 1_000] {
      numbers = (0..<count).map { Double($0 % 7) }
      numbers[5] = Double(count)
      let (state, alone) = try (encoded(numbers, writer), encoded(numbers, limit: 6_000))
      #expect(state.bytes == alone.bytes)
      numbers[3] = .nan
      #expect(writer.encoded(numbers).invalid != nil)
    }
  }
}
