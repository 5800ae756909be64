import Foundation
import FusionRawHTTP
import FusionStrictJSON
import Testing
import UIFusionServer

/// Requests of share holders who do not own the session, to its node and to another.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A share of another identity's session` {
  private typealias Others = `Another identity's session`
  private static let ada = Others.ada
  private static let bob = Others.strangers[0]
  private static let never = "AAAAAAAAAAAAAAAAAAAAAB"
  private static let bodies = ["", "{}", #"{"add":1}"#, #"{"role":"driver"}"#]

  private func share(
    _ port: Int,
    _ id: String,
    _ role: String,
    expires: String = "2999-01-01T00:00:00Z"
  ) async throws -> String {
    let body = #"{"role":"\#(role)","expires":"\#(expires)"}"#
    let shared = try await Client(port).post("/sessions/\(id)/shares", body, Self.ada)
    #expect(shared.status == 201)
    return String(try unwrap(shared["Location"]).dropFirst("/sessions/".count))
  }

  private func revoke(_ port: Int, _ share: String, of id: String) async throws {
    let line = "DELETE /sessions/\(id)/shares/\(share)"
    #expect(try await Client(port).send(line, Self.ada).status == 204)
  }

  @Test func `lets an observer only read and follow the session, on either node`() async throws {
    try await Others.nodes { a, b in
      let id = try await Others.create(a.port, Self.ada)
      let share = try await share(b.port, id, "observer")
      for port in [a.port, b.port] {
        let client = Client(port)
        for request in Others.requests where !request.fields.contains("wait=20\r\n") {
          let isStream = request.line.contains("events") && request.line.hasPrefix("GET")
          guard !isStream else { continue }
          let answer = try await Others.ask(port, request, share, Self.never, Self.bob)
          let isRead = request.line.hasPrefix("GET") || request.line.hasPrefix("HEAD")
          let name = Comment(rawValue: "\(request)")
          #expect(isRead ? [200, 304].contains(answer.status) : answer.status == 403, name)
          #expect(!answer.text.contains(id) && answer.fields.allSatisfy { !$0.value.contains(id) })
          #expect(isRead || answer.text.contains("/problems/share-forbids"), name)
        }
        for line in ["GET", "POST", "HEAD"] {
          let refused = try await client.send("\(line) /sessions/\(share)/shares", Self.bob)
          #expect(refused.status == 403)
        }
        let refused = try await client.send("DELETE /sessions/\(share)/shares/\(share)", Self.bob)
        #expect(refused.status == 403)
        for path in ["/sessions/\(share)/events", "/events?session=\(share)"] {
          let stream = try await client.stream(path, Self.bob)
          let event = try await stream.next()
          #expect(event?.contains(#""version":1"#) == true && event?.contains(id) == false)
        }
        // The holder of a share must be authenticated.
        #expect(try await client.get("/sessions/\(share)").status == 401)
        #expect(try await client.get("/sessions/\(share)", "X-User: ada\r\n").status == 401)
      }
      let seen = try await Client(a.port).get("/sessions/\(id)", Self.ada)
      #expect(seen.status == 200 && seen.text.contains(#""version":1,"state":{"sum":0"#))
    }
  }

  /// The test above covers what an observer may read.
  @Test func `allows no other method of any resource, whatever the body, on either node`()
    async throws
  {
    try await Others.nodes { a, b in
      let id = try await Others.create(a.port, Self.ada)
      let other = try await share(a.port, id, "observer")
      let (observer, revoked) = (
        try await share(a.port, id, "observer"), try await share(b.port, id, "driver")
      )
      try await revoke(a.port, revoked, of: id)
      let document = try JSONDocument(try await Client(a.port).get("/openapi.json").body)
      let paths = try #require(JSONTree(document.root)["paths"]?.members.map(\.name))
      let end = Date.now.addingTimeInterval(20).formatted(.iso8601)
      let expired = try await share(a.port, id, "driver", expires: end)
      // Each node has a calendar of its own, which begins when the node starts.
      for port in [a.port, b.port] {
        try await a.cluster.until {
          try await Client(port).get("/sessions/\(expired)", Self.bob).status == 404
        }
      }
      for (held, refusal) in [(observer, 403), (revoked, 404), (expired, 404), (id, 404)] {
        for pattern in paths where pattern.contains("{id}") || pattern == "/events" {
          let path =
            pattern.replacing("{id}", with: held).replacing("{share}", with: other)
            + (pattern == "/events" ? "?session=\(held)" : "")
          let reads = held == observer ? [] : ["GET", "HEAD"]
          for method in ["POST", "PUT", "PATCH", "DELETE", "QUERY", "TRACE", "OPTIONS"] + reads {
            for (port, body) in [a.port, b.port].flatMap({ port in Self.bodies.map { (port, $0) } })
            {
              let fields = "Content-Type: application/json\r\n" + Self.bob
              let answer = try await Client(port).send("\(method) \(path)", fields, body: body)
              let statuses = method == "OPTIONS" ? [204] : [refusal, 405]
              #expect(statuses.contains(answer.status), "\(method) \(path) \(body)")
              #expect(held == id || !answer.text.contains(id))
            }
          }
        }
      }
      let seen = try await Client(b.port).get("/sessions/\(id)", Self.ada)
      #expect(seen.status == 200 && seen.text.contains(#""version":1,"state":{"sum":0"#))
      #expect(try await Client(b.port).get("/sessions/\(id)/shares", Self.ada).text.contains(other))
    }
  }

  @Test func `lets a driver send Inputs on either node, but neither delete nor share`()
    async throws
  {
    try await Others.nodes { a, b in
      let id = try await Others.create(a.port, Self.ada)
      let share = try await share(a.port, id, "driver")
      for (port, sum) in [(b.port, 1), (a.port, 2)] {
        let client = Client(port)
        let sent = try await client.post("/sessions/\(share)/inputs", #"{"add":1}"#, Self.bob)
        #expect(sent.status == 200 && sent.text.contains(#""sum":\#(sum)"#))
        #expect(!sent.text.contains(id))
        for line in ["DELETE /sessions/\(share)", "GET /sessions/\(share)/shares"] {
          #expect(try await client.send(line, Self.bob).status == 403)
        }
        let shared = try await client.post(
          "/sessions/\(share)/shares",
          #"{"role":"observer"}"#,
          Self.bob
        )
        #expect(shared.status == 403)
      }
    }
  }

  @Test func `that is revoked on one node is unknown on both, and its streams end`()
    async throws
  {
    try await Others.nodes { a, b in
      let id = try await Others.create(a.port, Self.ada)
      let (share, other) = (
        try await share(a.port, id, "driver"), try await share(a.port, id, "observer")
      )
      let streams = [
        try await Client(a.port).stream("/sessions/\(share)/events", Self.bob),
        try await Client(b.port).stream("/sessions/\(share)/events", Self.bob),
      ]
      for stream in streams { #expect(try await stream.next()?.contains("version") == true) }
      try await revoke(b.port, share, of: id)
      for port in [a.port, b.port] {
        for request in Others.requests {
          let refused = try await Others.ask(port, request, share, Self.never, Self.bob)
          let unknown = try await Others.ask(port, request, Self.never, Self.never, Self.bob)
          let name = Comment(rawValue: "\(request)")
          #expect(refused.status == 404 && unknown.status == 404, name)
          #expect(refused["ETag"] == nil, name)
        }
        #expect(try await Client(port).get("/sessions/\(other)", Self.bob).status == 200)
      }
      for stream in streams {
        let end = try await b.cluster.whileTimePasses { try await stream.next() }
        #expect(end == #"{"event":"end","reason":"deleted"}"#)
      }
    }
  }

  @Test func `stays valid when the session moves to another node`() async throws {
    try await Others.nodes { a, b in
      let id = try await Others.create(a.port, Self.ada)
      let share = try await share(a.port, id, "driver")
      await a.stop()
      let sent = try await Client(b.port).post("/sessions/\(share)/inputs", #"{"add":1}"#, Self.bob)
      #expect(sent.status == 200)
      #expect(try await Client(b.port).send("DELETE /sessions/\(id)", Self.ada).status == 204)
      #expect(try await Client(b.port).get("/sessions/\(share)", Self.bob).status == 404)
    }
  }
}
