import FusionStrictJSON
import Testing
import UIFusionKit

@testable import FusionJSONPatch

private struct Item: Codable, Identifiable {
  let id: Int
  var title = "a thing that has to be done"
  var tags: [String] = []
  var inner: IdentifiedArray<Leaf> = []

  struct Leaf: Codable, Identifiable { let id: String }
}

private struct State: Codable {
  var title = "list"
  var page: Page
  var others: IdentifiedArray<Item> = []
  var count: Int? = 0

  /// An enum with synthesised coding, whose text is shortened afterwards.
  enum Page: Codable {
    case items(IdentifiedArray<Item>)
    case labelled(items: IdentifiedArray<Item>, note: String)
  }
}

/// Writes one State after another, as a session does.
private struct Session {
  private var lists: WrittenLists?
  private(set) var text = StateText([])
  private(set) var shared = 0

  mutating func write(_ value: some Encodable) throws {
    let written = try StrictJSON.encode(
      value,
      for: .store,
      after: lists,
      capacity: 64,
      restart: {},
      notes: { 0 }
    )
    (lists, text, shared) = (written.lists, written.text, written.lists?.shared ?? 0)
  }
}

private func items(_ count: Int) -> IdentifiedArray<Item> {
  IdentifiedArray((0..<count).map { Item(id: $0) })
}

struct `A patch of texts in pieces` {
  private func applied(_ patch: [UInt8], to old: [UInt8]) throws -> [UInt8] {
    try JSONPatch.apply(try JSONDocument(patch).root, to: try JSONDocument(old).root)
  }

  @Test(arguments: randomSeeds)
  func `results in the exact bytes of the new State`(seed: Int) throws {
    var random = RandomJSON.Generator(state: UInt64(seed))
    var state = State(page: .items(items(300)), others: items(40))
    var session = Session()
    try session.write(state)
    for _ in 0..<80 {
      let old = session.text
      for _ in 0..<Int.random(in: 0...2, using: &random) { change(&state, &random) }
      try session.write(state)
      let bytes = try StrictJSON.encode(state)
      #expect(session.text.bytes == bytes)
      #expect(session.text.count == bytes.count)
      guard let patch = JSONPatch.text(fromPiecesOf: old, to: session.text, limit: 2_000) else {
        continue
      }
      #expect(patch.count <= 2_000)
      #expect(try applied(patch, to: old.bytes) == bytes)
    }
  }

  private func change(_ state: inout State, _ random: inout RandomJSON.Generator) {
    switch (state.page, Int.random(in: 0..<6, using: &random)) {
    case (_, 0): state.title += "!"
    case (_, 1): state.count = state.count == nil ? 1 : nil
    case (_, 2): change(&state.others, &random)
    case (.items(let items), 3): state.page = .labelled(items: items, note: state.title)
    case (.labelled(let items, _), 3): state.page = .items(items)
    case (.items(var items), _):
      change(&items, &random)
      state.page = .items(items)
    case (.labelled(var items, let note), _):
      change(&items, &random)
      state.page = .labelled(items: items, note: note)
    }
  }

  private func change(
    _ items: inout IdentifiedArray<Item>,
    _ random: inout RandomJSON.Generator
  ) {
    let id = Int.random(in: 0...items.count, using: &random)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: items[id: id + 1_000] = Item(id: id + 1_000)
    case 1 where items.count > 30: items[id: id] = nil
    case 2: items.elements.reverse()
    case 3: items[id: id]?.inner = IdentifiedArray((0..<40).map { .init(id: "\($0)") })
    case 4: items[id: id]?.tags.append("tag")
    default: items[id: id]?.title += "é\""
    }
  }

  @Test func `compares only one piece if one of many elements has changed`() throws {
    var state = State(page: .items([]), others: items(10_000))
    var session = Session()
    for _ in 0..<2 { try session.write(state) }
    let old = session.text
    state.others[id: 5_000]?.title = "done"
    (state.title, state.count) = ("many", 7)
    try session.write(state)
    #expect(session.text.count - session.shared < 2_000)
    let patch = try #require(JSONPatch.text(fromPiecesOf: old, to: session.text, limit: 200))
    #expect(
      String(decoding: patch, as: UTF8.self)
        == #"[{"op":"replace","path":"/title","value":"many"},"#
        + #"{"op":"replace","path":"/count","value":7},"#
        + #"{"op":"replace","path":"/others/5000/title","value":"done"}]"#
    )
  }

  @Test func `is left to the whole texts if all elements move, and is short nevertheless`() throws {
    var state = State(page: .items([]), others: items(1_000))
    var session = Session()
    try session.write(state)
    let old = session.text
    state.others.elements = state.others.dropFirst() + [Item(id: 1_000)]
    try session.write(state)
    #expect(JSONPatch.text(fromPiecesOf: old, to: session.text, limit: .max) == nil)
    let patch = JSONPatch.text(from: old.bytes, to: session.text.bytes, limit: .max)
    #expect(try #require(patch).count < 300)
  }

  @Test func `replaces a short element that is alone in its piece`() throws {
    struct Short: Codable, Identifiable {
      let id: Int
      var n = 5
    }
    for count in [33, 257] {
      var state = IdentifiedArray((0..<count).map { Short(id: $0) })
      var session = Session()
      try session.write(["rows": state])
      let old = session.text
      state[id: count - 1]?.n = 6
      try session.write(["rows": state])
      let made = JSONPatch.text(fromPiecesOf: old, to: session.text, limit: 200)
      #expect(try applied(try #require(made), to: old.bytes) == session.text.bytes)
    }
  }

  @Test func `has the path of each list, wherever the list is`() throws {
    var lists = [String: IdentifiedArray<Item>]()
    for name in ["a", "b", "c/d"] { lists[name] = items(40) }
    var session = Session()
    try session.write(lists)
    let old = session.text
    lists["c/d"]?[id: 20]?.title = "new"
    try session.write(lists)
    let patch = try #require(JSONPatch.text(fromPiecesOf: old, to: session.text, limit: 200))
    #expect(
      String(decoding: patch, as: UTF8.self)
        == #"[{"op":"replace","path":"/c~1d/20/title","value":"new"}]"#
    )
  }

  @Test func `is left to the whole texts if elements are inserted or removed`() throws {
    var state = State(page: .items(items(50)))
    var session = Session()
    try session.write(state)
    let old = session.text
    state.page = .items(items(51))
    try session.write(state)
    #expect(JSONPatch.text(fromPiecesOf: old, to: session.text, limit: .max) == nil)
    state.page = .labelled(items: items(50), note: "")
    try session.write(state)
    #expect(JSONPatch.text(fromPiecesOf: old, to: session.text, limit: .max) == nil)
  }
}
