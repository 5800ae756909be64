import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionServer
import UIFusionTesting

/// Versions across restarts.
struct `A version` {
  private func client() -> Client {
    Client(store: MemorySessionStore()) { catalog in
      catalog.host("safe", summary: "") { _ in Safe() }
    }
  }

  private func snapshot(_ client: Client, _ path: String) async throws -> String {
    let text = try await client.send(.get, path).text
    let start = try #require(text.firstRange(of: #""version""#))
    return String(text[start.lowerBound...])
  }

  @Test func `stays if State is read back as it was written`() async throws {
    var client = client()
    let path = try await client.session("safe")
    try await client.send(.post, path + "/inputs", #"{"note":"x"}"#)
    let before = try await client.send(.get, path).text
    for _ in 0..<3 {
      client = try await client.restarted()
      #expect(try await client.send(.get, path).text == before)
    }
  }

  @Test func `is the next one if State has lost a secret`() async throws {
    var client = client()
    let path = try await client.session("safe")
    try await client.send(.post, path + "/inputs", #"{"lock":"x"}"#)
    #expect(
      try await snapshot(client, path).hasPrefix(
        #""version":2,"state":{"note":"","password":"••••"}"#
      )
    )
    // Once: the next process reads back what this one has written.
    for _ in 0..<3 {
      client = try await client.restarted()
      #expect(
        try await snapshot(client, path).hasPrefix(
          #""version":3,"state":{"note":"","password":""}"#
        )
      )
    }
  }

  @Test func `never decreases, and never stands for two States`() async throws {
    var client = client()
    let path = try await client.session("safe")
    var states: [Int: Substring] = [:]
    var last = 0
    for round in 0..<20 {
      for input in [#"{"note":"\#(round / 3)"}"#, #"{"lock":"\#(round)"}"#, #"{"lock":""}"#] {
        let reader = try await client.follow(path + "/events")
        try await client.send(.post, path + "/inputs", input)
        for line in reader.read().split(separator: "\n") where line.hasPrefix("data: ") {
          let version = try #require(Int(line.drop { !$0.isNumber }.prefix { $0.isNumber }))
          #expect(states[version] == nil || states[version] == line)
          #expect(version >= last)
          states[version] = line
          last = version
        }
        reader.close()
        if (round + input.utf8.count).isMultiple(of: 2) { client = try await client.restarted() }
      }
    }
    #expect(last > 20)
  }

  @Test func `is shown only once the store has accepted it`() async throws {
    var client = client()
    let path = try await client.session("safe")
    try await client.send(.post, path + "/inputs", #"{"lock":"x"}"#)
    client = try await client.restarted()
    client.lifeline?.fail(.unreachable("no disk"))
    // Waking creates a version, which cannot be stored.
    try await client.send(.get, path)
    let refused = try await client.send(.post, path + "/inputs", #"{"note":"x"}"#)
    #expect(refused.status == 503)
    client.lifeline?.fail(nil)
    await client.clock.advance(by: .seconds(1))
    try await client.send(.post, path + "/inputs", #"{"note":"y"}"#)
    #expect(
      try await snapshot(client, path).hasPrefix(#""version":4,"state":{"note":"y","password":""}"#)
    )
  }
}
