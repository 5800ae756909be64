import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer

/// Who may do what with a session: asked over sockets at the session's node and at another, by another session's message,
/// and by a route.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The rights in a session` {
  private typealias Others = `Another identity's session`
  private typealias Row = (line: String, body: String, answers: [Int])
  private static let bob = Others.strangers[0]

  /// What each of ``people`` gets.
  private static let table: [Row] = [
    ("GET /sessions/ID", "", [200, 404, 200, 200, 404, 200, 200]),
    ("HEAD /sessions/ID/events", "", [200, 404, 200, 200, 404, 200, 200]),
    ("HEAD /events?session=ID", "", [200, 404, 200, 200, 404, 200, 200]),
    ("POST /sessions/ID/inputs", #"{"add":1}"#, [200, 404, 403, 200, 404, 200, 200]),
    ("GET /sessions/ID/shares", "", [200, 404, 403, 403, 404, 200, 200]),
    ("POST /sessions/ID/shares", #"{"role":"observer"}"#, [201, 404, 403, 403, 404, 201, 201]),
    ("DELETE /sessions/ID/shares/NONE", "", [404, 404, 403, 403, 404, 404, 404]),
    ("GET /sessions/ID/versions", "", [404, 404, 404, 404, 404, 404, 404]),
    ("DELETE /sessions/ID", "", [204, 404, 403, 403, 404, 204, 403]),
  ]

  /// The people, each with the session's address that they have.
  private static let people = [
    "the owner", "a stranger", "an observer", "a driver", "the holder of a revoked share",
    "the creator of a shared session", "a member of a shared session",
  ]

  private static func make(_ port: Int, _ path: String, _ body: String) async throws -> String {
    let made = try await Client(port).post(path, body, Others.ada)
    return String(try unwrap(made["Location"]).dropFirst("/sessions/".count))
  }

  /// Creates Ada's session and a shared one; returns the address and the fields of each of the people.
  private static func addresses(_ port: Int) async throws -> [(id: String, fields: String)] {
    let own = try await make(port, "/sessions", #"{"viewModel":"tally"}"#)
    let shared = try await make(port, "/sessions", #"{"viewModel":"tally","scope":"shared"}"#)
    var shares: [String] = []
    for role in ["observer", "driver", "driver"] {
      shares.append(try await make(port, "/sessions/\(own)/shares", #"{"role":"\#(role)"}"#))
    }
    let revoked = "DELETE /sessions/\(own)/shares/\(shares[2])"
    #expect(try await Client(port).send(revoked, Others.ada).status == 204)
    return [
      (own, Others.ada), (own, bob), (shares[0], bob), (shares[1], bob), (shares[2], bob),
      (shared, Others.ada), (shared, bob),
    ]
  }

  @Test func `are the same at its node and at another`() async throws {
    try await Others.nodes { a, b in
      for port in [a.port, b.port] {
        let addresses = try await Self.addresses(a.port)
        for (line, body, answers) in Self.table {
          // Last are those who end it.
          let order = line.hasPrefix("DELETE /sessions/ID") ? [1, 2, 3, 4, 6, 0, 5] : Array(0...6)
          for index in order {
            let (id, fields) = addresses[index]
            let answer = try await Client(port).send(
              line.replacing("ID", with: id).replacing("NONE", with: Others.never),
              "Content-Type: application/json\r\n" + fields,
              body: body
            )
            let place = port == a.port ? "its node" : "another"
            let name: Comment = "\(line) by \(Self.people[index]) at \(place)"
            #expect(answer.status == answers[index], name)
          }
        }
      }
    }
  }

  @Test func `reach no further by a message`() async throws {
    try await Others.nodes { a, b in
      for asking in [a, b] {
        let own = try await Self.make(a.port, "/sessions", #"{"viewModel":"expert"}"#)
        let open = try await Self.make(
          a.port,
          "/sessions",
          #"{"viewModel":"expert","scope":"shared"}"#
        )
        let made = try await Client(asking.port)
          .post("/sessions", #"{"viewModel":"questioner"}"#, Self.bob)
        let path = try unwrap(made["Location"])
        let answers = try await a.cluster.whileTimePasses {
          var texts: [String] = []
          for (number, id) in [(3, own), (2, open)] {
            let body = #"{"ask":{"_0":\#(number),"of":"\#(id)"}}"#
            let fields = Self.bob + "Prefer: wait=30\r\n"
            texts.append(try await Client(asking.port).post("\(path)/inputs", body, fields).text)
          }
          return texts
        }
        #expect(answers[0].hasSuffix(#""answers":[]},"settled":true}"#), "\(answers)")
        #expect(answers[1].hasSuffix(#""answers":[2]},"settled":true}"#), "\(answers)")
        let shown = try await Client(a.port).get("/sessions/\(own)", Others.ada)
        #expect(shown.text.contains(#""version":1"#))
      }
    }
  }

  @Test func `are those of the identity that a route acts as`() async throws {
    try await Others.nodes { a, b in
      let id = try await Self.make(a.port, "/sessions", #"{"viewModel":"tally"}"#)
      for node in [a, b] {
        let sessions = node.service.sessions
        let hers = try await sessions.acting(as: Identity(id: "ada")).state(of: id)
        let all = try await sessions.asProgram.state(of: id)
        #expect(hers.version == all.version)
        let his = sessions.acting(as: Identity(id: "bob"))
        for use in [
          { _ = try await his.state(of: id) }, { _ = try await his.send(["add": 1], to: id) },
          { try await his.delete(id) },
        ] as [() async throws -> Void] {
          let error = await #expect(throws: HTTPError.self) { try await use() }
          #expect(error?.status == 404)
        }
      }
    }
  }
}
