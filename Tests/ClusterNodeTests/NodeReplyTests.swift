import FusionRawHTTP
import Testing
import UIFusionKit
import UIFusionServer

/// Asks an ``Expert``, and keeps what it replies.
struct Questioner: ReducerViewModel {
  enum Input: Codable, Sendable { case ask(Int, of: String), answered(Int) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var answers: [Int] = [] }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .ask(let number, let id): return [.send(Expert.Input.ask(number), to: .id(id))]
    case .answered(let number): state.answers.append(number)
    }
    return []
  }
}

/// Answers even questions at once, and odd ones when it is told to.
struct Expert: ReducerViewModel {
  enum Input: Codable, Sendable { case ask(Int), think }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var odd: Int?
    var asking: String?
  }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .ask(let number) where number.isMultiple(of: 2):
      return [.reply(Questioner.Input.answered(number))]
    case .ask(let number):
      (state.odd, state.asking) = (number, InputSender.session)
      return [.sleepThen(id: "thought", for: .seconds(10_000), action: .think)]
    case .think:
      guard let odd = state.odd else { return [] }
      return [.reply(Questioner.Input.answered(odd), to: state.asking), .cancel(id: "thought")]
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A reply from another node` {
  private typealias Others = `Another identity's session`

  @Test func `reaches an identity's session, and is awaited`() async throws {
    try await Others.nodes { a, b in
      let bob = Others.strangers[0]
      let made = try await Client(a.port)
        .post("/sessions", #"{"viewModel":"questioner"}"#, Others.ada)
      let questioner = try unwrap(made["Location"])
      let shared = #"{"viewModel":"expert","scope":"shared"}"#
      let expert = try unwrap(try await Client(b.port).post("/sessions", shared, bob)["Location"])
      let id = expert.dropFirst("/sessions/".count)
      func ask(_ number: Int, _ port: Int, wait: Int) async throws -> String {
        let fields = Others.ada + "Prefer: wait=\(wait)\r\n"
        let body = #"{"ask":{"_0":\#(number),"of":"\#(id)"}}"#
        return try await a.cluster.whileTimePasses {
          try await Client(port).post("\(questioner)/inputs", body, fields).text
        }
      }
      #expect(try await ask(2, a.port, wait: 30).hasSuffix(#"[2]},"settled":true}"#))
      #expect(try await ask(4, b.port, wait: 30).hasSuffix(#"[2,4]},"settled":true}"#))
      #expect(try await ask(5, a.port, wait: 1).hasSuffix(#"[2,4]},"settled":false}"#))
      // The next question does not wait for the answer to the one before.
      #expect(try await ask(6, a.port, wait: 30).hasSuffix(#"[2,4,6]},"settled":true}"#))
      let shown = try await Client(a.port).get(questioner, Others.ada)
      #expect(shown.text.hasSuffix(#""settled":false}"#))
      try await Client(b.port).post("\(expert)/inputs", #""think""#, bob)
      try await a.cluster.until {
        try await Client(a.port).get(questioner, Others.ada).text
          .hasSuffix(#"[2,4,6,5]},"settled":true}"#)
      }
    }
  }
}
