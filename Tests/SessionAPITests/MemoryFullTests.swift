import HTTPMessages
import SessionAPI
import Sessions
import Testing

struct `Memory that is full` {
  private let client: Client
  private let small: String
  private let large: String

  init() async throws {
    var limits = SessionHost.Limits()
    limits.memory = 1_000_000
    client = Client(limits: limits, store: MemorySessionStore())
    small = try await client.session("notes")
    large = try await client.session("notes")
    let note = String(repeating: "x", count: 3_000)
    try await client.send(.post, large + "/inputs", #"{"add":"\#(note)"}"#)
    client.host.memory.set(isFull: true)
  }

  private func expectRefused(_ answer: Answer) throws {
    #expect(answer.status == 503)
    #expect(try answer.member("type") == "/problems/memory-full")
    #expect(answer.text.contains("--max-memory") && answer.text.contains(#""limit":1000000"#))
    #expect(answer["Retry-After"] == "5")
  }

  @Test func `takes no new session`() async throws {
    try expectRefused(await client.send(.post, "/sessions", #"{"viewModel":"notes"}"#))
    client.host.memory.set(isFull: false)
    #expect(try await client.send(.post, "/sessions", #"{"viewModel":"notes"}"#).status == 201)
  }

  @Test(arguments: ["", "/events", "/inputs"])
  func `shows no State that is not small, and brings none on`(resource: String) async throws {
    let input = resource == "/inputs" ? #""clear""# : nil
    let method = input == nil ? HTTPMethod.get : .post
    try expectRefused(await client.send(method, large + resource, input))
    client.host.memory.set(isFull: false)
    #expect(try await client.send(method, large + resource, input).status == 200)
  }

  @Test func `takes no long request, also of a small State`() async throws {
    let note = String(repeating: "x", count: 3_000)
    try expectRefused(await client.send(.post, small + "/inputs", #"{"add":"\#(note)"}"#))
    #expect(try await client.send(.get, small).text.contains(#""notes":[]"#))
  }

  @Test func `goes on with what is small`() async throws {
    #expect(try await client.send(.post, small + "/inputs", #"{"add":"x"}"#).status == 200)
    let reader = try await client.follow(small + "/events")
    #expect(reader.read().contains(#""notes":["x"]"#))
  }

  @Test func `lets everything be deleted`() async throws {
    #expect(try await client.send(.delete, large).status == 204)
    #expect(try await client.send(.delete, small).status == 204)
  }

  @Test func `reads no State from the store that is not small`() async throws {
    let next = try await client.restarted()
    next.host.memory.set(isFull: true)
    try expectRefused(await next.send(.get, large))
    #expect(try await next.send(.get, small).status == 200)
    next.host.memory.set(isFull: false)
    #expect(try await next.send(.get, large).status == 200)
  }
}
