import FusionRawHTTP
import Testing
import UIFusionServer

/// Holders of a share of somebody's seat at a board, at the seat's node and at another: they reach what anybody
/// may use, and nothing of the owner's.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A share of a seat at a board` {
  private typealias Others = `Another identity's session`
  private static let ada = Others.ada
  private static let bob = Others.strangers[0]

  private func create(_ port: Int, _ body: String) async throws -> String {
    let created = try await Client(port).post("/sessions", body, Self.ada)
    return String(try unwrap(created["Location"]).dropFirst("/sessions/".count))
  }

  private func send(_ port: Int, _ input: String, to id: String, _ user: String) async throws {
    let answer = try await Client(port).post("/sessions/\(id)/inputs", input, user)
    #expect(answer.status == 200, "\(answer.text)")
  }

  private func state(_ port: Int, _ id: String) async throws -> String {
    try await Client(port).get("/sessions/\(id)", Self.ada).text
  }

  @Test func `lends nobody the private boards of its owner, on either node`() async throws {
    try await Others.nodes { a, b in
      let named = #"{"viewModel":"board","name":"plans"}"#
      let shared = #"{"viewModel":"board","name":"everybody's","scope":"shared"}"#
      let own = try await create(a.port, named)
      let open = try await create(b.port, shared)
      for (port, id) in [(a.port, own), (b.port, open)] {
        try await send(port, #"{"add":{"text":"secret","to":"Doing"}}"#, to: id, Self.ada)
      }
      let seat = try await create(b.port, #"{"viewModel":"board-seat"}"#)
      let body = #"{"role":"driver"}"#
      let made = try await Client(a.port).post("/sessions/\(seat)/shares", body, Self.ada)
      let share = String(try unwrap(made["Location"]).dropFirst("/sessions/".count))
      func waits(_ port: Int, for text: String, in id: String) async throws {
        try await a.cluster.until { try await self.state(port, id).contains(text) }
      }
      let add = #"{"add":{"text":"forged","to":"Done"}}"#
      for port in [a.port, b.port] {
        for board in ["@plans", own] {
          // Written before the seat knows whether the board may be seen.
          try await send(port, #"[{"open":"\#(board)"},\#(add)]"#, to: share, Self.bob)
          try await waits(port, for: #""board":null"#, in: seat)
          #expect(try await !state(port, seat).contains("secret"))
          // The owner's seat shows the owner's board, to the share's holder, too; but only the owner writes there.
          try await send(port, #"{"open":"\#(board)"}"#, to: seat, Self.ada)
          try await waits(port, for: "secret", in: seat)
          try await send(port, add, to: share, Self.bob)
          try await waits(port, for: "The board has not taken that.", in: seat)
          #expect(try await !state(port, own).contains("forged"))
          try await send(port, #"{"search":""}"#, to: seat, Self.ada)
        }
        try await send(port, #"{"add":{"text":"\#(port)","to":"Done"}}"#, to: seat, Self.ada)
        try await waits(port, for: "\(port)", in: own)
        try await send(port, #"{"open":"\#(open)"}"#, to: share, Self.bob)
        try await waits(port, for: "secret", in: seat)
        try await send(port, #"{"add":{"text":"bob's \#(port)","to":"Done"}}"#, to: share, Self.bob)
        try await waits(port, for: "bob's \(port)", in: open)
        #expect(try await !state(port, own).contains("forged"))
      }
    }
  }
}
