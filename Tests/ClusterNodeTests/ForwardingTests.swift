import FusionCluster
import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionServer

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A request for a session of another node` {
  private func pair(
    _ test: (_ cluster: Cluster, _ a: Cluster.Member, _ b: Cluster.Member) async throws -> Void
  ) async throws {
    let cluster = Cluster()
    let a = try await cluster.start("a")
    let b = try await cluster.start("b")
    do {
      try await test(cluster, a, b)
    } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
  }

  @Test func `is answered as by the session's own node`() async throws {
    try await pair { _, a, b in
      let path = try await Client(a.port).create()
      let sent = try await Client(b.port).post("\(path)/inputs", #"{"add":3}"#)
      #expect(sent.status == 200)
      #expect(sent.text.hasPrefix(#"{"version":2,"state":{"sum":3"#))
      let seen = try await Client(b.port).get(path)
      #expect(seen.status == 200)
      #expect(seen["ETag"] == "\"2\"")
      #expect(try await Client(a.port).get(path).text == seen.text)
      let head = try await Client(b.port).send("HEAD \(path)")
      #expect(head["Content-Length"] == "\(seen.body.count)")
      #expect(seen.count("Content-Length") == 1 && seen.count("X-Content-Type-Options") == 1)
    }
  }

  @Test func `may bring its Inputs as lines`() async throws {
    try await pair { _, a, b in
      let path = try await Client(a.port).create()
      let fields = "Content-Type: application/x-ndjson\r\nIdempotency-Key: k\r\n"
      let lines = "{\"add\":3}\n{\"add\":4}\n"
      let sent = try await Client(b.port).send("POST \(path)/inputs", fields, body: lines)
      #expect(sent.text == #"{"version":3,"applied":2}"#)
      let more = lines + "{\"add\":5}\n\"jump\"\n{\"add\":6}\n"
      for client in [Client(b.port), Client(a.port)] {
        let wrong = try await client.send("POST \(path)/inputs", fields, body: more)
        #expect(wrong.status == 422 && wrong.text.hasSuffix(#","applied":3}"#), "\(wrong.text)")
      }
      #expect(try await Client(a.port).get(path).text.contains(#""sum":12"#))
    }
  }

  @Test func `keeps its id, its conditions and its preferences`() async throws {
    try await pair { _, a, b in
      let path = try await Client(a.port).create()
      let client = Client(b.port)
      let minimal = try await client.post(
        "\(path)/inputs",
        #"{"add":3}"#,
        "Prefer: return=minimal\r\nX-Request-Id: mine\r\n"
      )
      #expect(minimal.status == 204 && minimal["ETag"] == "\"2\"")
      #expect(minimal["X-Request-Id"] == "mine" && minimal.count("X-Request-Id") == 1)
      #expect(minimal["Preference-Applied"] == "return=minimal")
      let known = try await client.get(path, "If-None-Match: \"2\"\r\n")
      #expect(known.status == 304)
      let stale = try await client.post("\(path)/inputs", #"{"add":3}"#, "If-Match: \"1\"\r\n")
      #expect(stale.status == 412)
      #expect(stale["Content-Type"] == "application/problem+json")
      let wrong = try await client.post("\(path)/inputs", #""jump""#, "X-Request-Id: mine\r\n")
      #expect(wrong.status == 422 && wrong.text.contains(#""requestId":"mine""#))
    }
  }

  @Test func `with a key is processed once, whichever node it comes to`() async throws {
    try await pair { _, a, b in
      let path = try await Client(a.port).create()
      let key = "Idempotency-Key: k\r\n"
      for (index, port) in [b.port, a.port, b.port].enumerated() {
        let answer = try await Client(port).post("\(path)/inputs", #"{"add":3}"#, key)
        #expect(answer.text.contains(#""sum":3"#))
        #expect(answer["Idempotency-Replayed"] == (index == 0 ? nil : "true"))
      }
    }
  }

  @Test func `may have a long body and a long answer`() async throws {
    try await pair { _, a, b in
      let path = try await Client(a.port).create()
      let text = String(repeating: "long ", count: 12_000)
      let answer = try await Client(b.port).post("\(path)/inputs", #"{"write":"\#(text)"}"#)
      #expect(answer.status == 200 && answer.text.contains(text))
      let packed = try await Client(b.port).post(
        "\(path)/inputs",
        #"{"add":1}"#,
        "Accept-Encoding: gzip\r\nPrefer: return=representation\r\n"
      )
      #expect(packed["Content-Encoding"] == "gzip" && packed.body.count < 2_000)
    }
  }

  @Test func `is held by the session's node`() async throws {
    try await pair { _, a, b in
      let path = try await Client(a.port).create()
      async let held = Client(b.port).get(path, "If-None-Match: \"1\"\r\nPrefer: wait=25\r\n")
      try await Client(a.port).post("\(path)/inputs", #"{"add":3}"#)
      #expect(try await held.status == 200)
      #expect(try await held["Preference-Applied"] == "wait=25")
      #expect(try await held["ETag"] == "\"2\"")
    }
  }

  @Test func `deletes the session on every node`() async throws {
    try await pair { _, a, b in
      let path = try await Client(a.port).create()
      #expect(try await Client(b.port).send("DELETE \(path)").status == 204)
      #expect(try await Client(a.port).get(path).status == 410)
      #expect(try await Client(b.port).get(path).status == 410)
    }
  }

  @Test
  func `is not sent for a page, which gets State from its stream`()
    async throws
  {
    try await pair { _, a, b in
      let path = try await Client(a.port).create()
      try await Client(a.port).post("\(path)/inputs", #"{"write":"from a"}"#)
      let page = try await Client(b.port).get("/?session=\(path.dropFirst(10))")
      #expect(page.status == 200)
      #expect(page.text.contains("<html") && !page.text.contains(#""text":"from a""#))
    }
  }

  @Test func `is served here once the session's node has released it`() async throws {
    try await pair { cluster, a, b in
      let path = try await Client(a.port).create()
      #expect(try await Client(b.port).post("\(path)/inputs", #"{"add":3}"#).status == 200)
      await a.stop()
      try await cluster.until {
        try await Client(b.port).post("\(path)/inputs", #"{"add":3}"#, "Idempotency-Key: k\r\n")
          .status == 200
      }
      #expect(try await Client(b.port).get(path).text.contains(#""sum":6"#))
    }
  }

  @Test func `is served here without loss once a dead node's lease has expired`()
    async throws
  {
    try await pair { cluster, a, b in
      let path = try await Client(a.port).create()
      #expect(try await Client(b.port).post("\(path)/inputs", #"{"add":3}"#).status == 200)
      a.store.cut()
      await a.stop()
      let client = Client(b.port)
      // The request waits for the session's next node.
      let answer = try await cluster.whileTimePasses {
        try await client.post("\(path)/inputs", #"{"add":3}"#)
      }
      #expect(answer.status == 200)
      #expect(try await client.get(path).text.contains(#""sum":6"#))
    }
  }

  @Test func `is served here once the session's node has lost the store but still answers`()
    async throws
  {
    try await pair { cluster, a, b in
      let path = try await Client(a.port).create()
      #expect(try await Client(b.port).post("\(path)/inputs", #"{"add":3}"#).status == 200)
      a.store.cut()
      try await cluster.until {
        try await Client(b.port).post("\(path)/inputs", #"{"add":3}"#, "Idempotency-Key: k\r\n")
          .status == 200
      }
      #expect(try await Client(b.port).get(path).text.contains(#""sum":6"#))
      #expect(try await Client(b.port).send("DELETE \(path)").status == 204)
    }
  }

  @Test func `is not answered with a stopping node's problem for its own clients`() async throws {
    let server = try MicrohttpdServer(.init(port: 0)) { $1(Problem.draining.response) }
    let link = try unwrap(NodeLink())
    let forwarding = SignedTransport(
      link,
      NodeSignature(secret: [], storeSecret: []),
      now: { 0 }
    )
    let node = Node(7, name: "a", address: "http://127.0.0.1:\(server.port)")
    let request = HTTPRequest(.get, RequestTarget(segments: ["sessions", "a"]))
    let answer = await withCheckedContinuation { continuation in
      forwarding.forward(request, to: node, within: .seconds(30), over: .prompt) {
        continuation.resume(returning: $0.map(\.status))
      }
    }
    #expect(answer == .failure(.notOwner))
    link.stop()
    await server.stop(within: .zero)
  }

  @Test func `is refused with advice if the session's node has no address`() async throws {
    let cluster = Cluster()
    let a = try await cluster.start("a") { $0.nodeAddress = nil }
    let b = try await cluster.start("b")
    let path = try await Client(a.port).create()
    let refused = try await Client(b.port).post("\(path)/inputs", #"{"add":3}"#)
    #expect(refused.status == 503 && refused.text.contains("--node-address"))
    // A node without an address can still ask others.
    let other = try await Client(b.port).create()
    #expect(try await Client(a.port).get(other).status == 200)
    // A node that stops releases its sessions.
    await a.stop()
    #expect(try await Client(b.port).get(path).status == 200)
    await cluster.stop()
  }
}
