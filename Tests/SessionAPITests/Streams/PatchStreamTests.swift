import FusionHTTPMessages
import FusionSessionAPI
import FusionStoreDoubles
import Testing
import UIFusionTesting

struct `A stream of patches` {
  private let client = Client()

  private func add(_ note: String, to path: String) async throws {
    let answer = try await client.send(.post, path + "/inputs", #"{"add":"\#(note)"}"#)
    #expect(answer.status == 200)
  }

  private func event(_ version: Int, _ name: String, _ data: String) -> String {
    "id: \(version)\nevent: \(name)\ndata: \(data)\n\n"
  }

  private let long = "a note that is long enough for a patch to be worth it"

  private func first(_ path: String) async throws -> Reader {
    try await add(long, to: path)
    let reader = try await client.follow(path + "/events?format=patch")
    #expect(
      reader.read() == "retry: 1000\n"
        + event(2, "state", #"{"version":2,"state":{"notes":["\#(long)"],"owner":null}}"#)
    )
    return reader
  }

  @Test func `begins with a State, and continues with patches to the last one sent`() async throws {
    let path = try await client.session("notes")
    let reader = try await first(path)
    try await add("milk", to: path)
    let one = #"[{"op":"add","path":"/notes/1","value":"milk"}]"#
    #expect(reader.read() == event(3, "patch", #"{"from":2,"version":3,"patch":\#(one)}"#))
    // The stream skips version 4: a patch would be from 3.
    try await add("1", to: path)
    try await add("2", to: path)
    let two =
      #"{"op":"add","path":"/notes/2","value":"1"},{"op":"add","path":"/notes/3","value":"2"}"#
    let state = #"{"notes":["\#(long)","milk","1","2"],"owner":null}"#
    // Two operations are longer than the State by now.
    #expect(#"[\#(two)],"from":3"#.utf8.count > state.utf8.count)
    #expect(reader.read() == event(5, "state", #"{"version":5,"state":\#(state)}"#))
  }

  @Test func `has a whole State if that is shorter`() async throws {
    let path = try await client.session("notes")
    let reader = try await first(path)
    _ = try await client.send(.post, path + "/inputs", #""clear""#)
    #expect(
      reader.read() == event(3, "state", #"{"version":3,"state":{"notes":[],"owner":null}}"#)
    )
  }

  @Test func `begins with a State even if the client has the previous version`() async throws {
    let path = try await client.session("notes")
    try await add(long, to: path)
    let reader = try await client.follow(path + "/events?format=patch&after=2")
    #expect(reader.read() == "retry: 1000\n")
    try await add("milk", to: path)
    #expect(reader.read().hasPrefix("id: 3\nevent: state\n"))
    try await add("tea", to: path)
    #expect(reader.read().hasPrefix("id: 4\nevent: patch\n"))
  }

  @Test func `has a patch only from the version that its client has`() async throws {
    let path = try await client.session("notes")
    let (fast, slow) = (
      try await first(path), try await client.follow(path + "/events?format=patch")
    )
    _ = slow.read()
    let another = try await client.follow(path + "/events?format=patch")
    _ = another.read()
    try await add("x", to: path)
    _ = fast.read()
    try await add("", to: path)
    #expect(fast.read().contains(#"{"from":3,"version":4,"patch":[{"op":"add","path":"/notes/2""#))
    for reader in [slow, another] {
      #expect(reader.read().contains(#"data: {"version":4,"state":{"notes":["a note"#))
    }
  }

  @Test(arguments: [false, true])
  func `has patches that are too long to be stored, too`(isStored: Bool) async throws {
    let client = isStored ? Client(store: MemorySessionStore()) : client
    let path = try await client.session("notes")
    let add = { (note: String) async throws in
      let input = #"{"add":"\#(String(repeating: note, count: 1_300))"}"#
      #expect(try await client.send(.post, path + "/inputs", input).status == 200)
    }
    try await add("a")
    let reader = try await client.follow(path + "/events?format=patch")
    _ = reader.read()
    // The State has more than 2 KiB now; the patch is more than half of it.
    try await add("b")
    #expect(reader.read().hasPrefix("id: 3\nevent: patch\n"))
  }

  @Test func `is requested only by format=patch`() async throws {
    let path = try await client.session("notes")
    let answer = try await client.send(.get, path + "/events?format=diff")
    #expect(answer.status == 400)
    #expect(try answer.member("member") == "format")
  }
}
