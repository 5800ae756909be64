import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer

/// A house that all share: hosts may lock it, nobody may leave once somebody has rung, and a banned person may do nothing.
struct House: ReducerViewModel, AccessControlled {
  enum Input: Codable, Sendable { case ring, lock, leave }
  struct State: Codable, Equatable, Sendable { var senders: [String] = [] }
  typealias Action = Input

  var state = State()

  static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    let isHost = sender?.roles.contains("host") == true
    return switch use {
    case .read: sender?.roles.contains("banned") == true ? .denied("You are banned.") : .byDefault
    case .send(.lock), .share: isHost ? .allowed : .denied("Ask a host.")
    case .send, .end, .fork, .inspect: .byDefault
    }
  }

  static func access(_ sender: Identity?, sending input: Input, in state: State) -> Access {
    input == .leave && !state.senders.isEmpty ? .denied("Somebody is here.") : .allowed
  }

  func transform(_ input: Input) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    let sender = InputSender.identity
    state.senders.append("\(sender?.id ?? "nobody") \(sender?.roles.sorted().first ?? "-")")
    return []
  }
}

/// Sends a house what it is told to, and keeps why that is refused.
struct Caller: ReducerViewModel {
  enum Input: Codable, Sendable { case tell(House.Input, to: String) }
  struct State: Codable, Equatable, Sendable { var reasons: [String] = [] }
  enum Action: Codable, Sendable { case tell(House.Input, to: String), refused }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .tell(let word, let house): [.tell(word, to: house)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .tell(let word, let house): return [.send(word, to: .id(house), ifRefused: .refused)]
    case .refused: state.reasons.append(InputSender.refusal ?? "unknown")
    }
    return []
  }
}

/// A session of nobody's, asked for at its own node and at another.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The rule of a view model on two nodes` {
  private typealias Others = `Another identity's session`
  private static let people = ["ada", "bob", "host", "banned"]

  /// The answers to each of the people.
  private static let table: [(line: String, body: String, answers: [Int])] = [
    ("GET /sessions/ID", "", [200, 200, 200, 403]),
    ("HEAD /sessions/ID/events", "", [200, 200, 200, 403]),
    ("POST /sessions/ID/inputs", #""ring""#, [200, 200, 200, 403]),
    ("POST /sessions/ID/inputs", #""leave""#, [403, 403, 403, 403]),
    ("POST /sessions/ID/inputs", #"["ring","lock"]"#, [403, 403, 200, 403]),
    ("GET /sessions/ID/shares", "", [403, 403, 200, 403]),
    ("DELETE /sessions/ID", "", [403, 403, 403, 403]),
  ]

  private static func fields(_ person: String) -> String {
    "Authorization: Bearer \(person)-token\r\n"
  }

  private func create(_ port: Int, by person: String) async throws -> String {
    let body = #"{"viewModel":"house","scope":"shared"}"#
    let created = try await Client(port).post("/sessions", body, Self.fields(person))
    return String(try unwrap(created["Location"]).dropFirst("/sessions/".count))
  }

  @Test func `gives everybody the same answers on either`() async throws {
    try await Others.nodes { a, b in
      let id = try await create(a.port, by: "ada")
      for (index, person) in Self.people.enumerated() {
        for port in [a.port, b.port] {
          for (line, body, answers) in Self.table {
            // The creator may end it.
            guard !(line.hasPrefix("DELETE") && person == "ada") else { continue }
            let all = "Content-Type: application/json\r\n" + Self.fields(person)
            let answer = try await Client(port).send(
              line.replacing("ID", with: id),
              all,
              body: body
            )
            let isOwn = port == a.port
            let name: Comment =
              "\(line) \(body) by \(person) \(isOwn ? "at its node" : "elsewhere")"
            #expect(answer.status == answers[index], name)
            if answer.status == 403, !line.hasPrefix("HEAD") {
              #expect(answer.text.contains("/problems/not-permitted"), name)
            }
          }
        }
      }
      let shown = try await Client(b.port).get("/sessions/\(id)", Self.fields("ada"))
      for sender in ["ada -", "bob -", "hostess host"] { #expect(shown.text.contains(sender)) }
      #expect(!shown.text.contains("mallory"))
    }
  }

  @Test func `says to the sender of a message why it refuses, from either`() async throws {
    try await Others.nodes { a, b in
      let id = try await create(a.port, by: "ada")
      let ring = "/sessions/\(id)/inputs"
      #expect(try await Client(a.port).post(ring, #""ring""#, Self.fields("ada")).status == 200)
      for port in [a.port, b.port] {
        let made = try await Client(port)
          .post("/sessions", #"{"viewModel":"caller"}"#, Self.fields("bob"))
        let path = try unwrap(made["Location"]) + "/inputs"
        let text = try await a.cluster.whileTimePasses {
          for word in ["lock", "leave"] {
            let body = #"{"tell":{"_0":"\#(word)","to":"\#(id)"}}"#
            let fields = Self.fields("bob") + "Prefer: wait=30\r\n"
            let answer = try await Client(port).post(path, body, fields)
            if word == "leave" { return answer.text }
          }
          return ""
        }
        #expect(text.contains(#""reasons":["Ask a host.","Somebody is here."]"#), "\(text)")
      }
    }
  }

  @Test func `lets a session be followed, on either, by whom it lets read`() async throws {
    try await Others.nodes { a, b in
      let id = try await create(a.port, by: "ada")
      for port in [b.port, a.port] {
        for path in ["/sessions/\(id)/events", "/events?session=\(id)"] {
          let refused = try await Client(port).get(path, Self.fields("banned"))
          #expect(refused.status == 403 && refused.text.contains("You are banned."))
          let stream = try await Client(port).stream(path, Self.fields("bob"))
          #expect(try await stream.next()?.contains(#""version":1"#) == true)
        }
      }
    }
  }

  @Test func `and without one, a session of nobody's is ended by its creator, from either`()
    async throws
  {
    try await Others.nodes { a, b in
      for port in [a.port, b.port] {
        let id = try await create(a.port, by: "ada")
        let line = "DELETE /sessions/\(id)"
        let refused = try await Client(port).send(line, Self.fields("bob"))
        #expect(refused.status == 403 && refused.text.contains("/problems/not-permitted"))
        #expect(try await Client(port).send(line, Self.fields("ada")).status == 204)
      }
    }
  }
}
