import UIFusionKit

/// Seats that people take and leave: only whoever sits on one may leave it.
enum Seats {
  enum Input: Codable, Equatable, Sendable {
    case take(Int), leave(Int)
    case ask(String, leave: Int)
    case knock
    case send(String)
  }

  enum Action: Codable, Sendable {
    case take(Int, String), leave(Int)
    case ask(String, leave: Int)
    case knock
    case send(String)
    case refused
  }

  struct State: Codable, Equatable, Sendable {
    var sitting: [Int: String] = [:]
    var refusals = 0

    mutating func apply(_ action: Action) {
      switch action {
      case .take(let seat, let person): sitting[seat] = person
      case .leave(let seat): sitting[seat] = nil
      case .ask, .send: break
      case .knock: sitting[0] = "door"
      case .refused: refusals += 1
      }
    }

    func access(_ sender: Identity?, sending input: Input) -> Access {
      if input == .knock, InputSender.session == nil { return .denied("Only a session knocks.") }
      guard case .leave(let seat) = input, let person = sitting[seat], person != sender?.id else {
        return .allowed
      }
      return .denied("\(person) sits there.")
    }
  }

  static func actions(of input: Input) -> [Action] {
    switch input {
    case .take(let seat): [.take(seat, InputSender.identity?.id ?? "nobody")]
    case .leave(let seat): [.leave(seat)]
    case .ask(let other, let seat): [.ask(other, leave: seat)]
    case .knock: [.knock]
    case .send(let other): [.send(other)]
    }
  }
}

/// The rule of the seats, in each pattern.
protocol SeatRule: AccessControlled where Input == Seats.Input, State == Seats.State {}

extension SeatRule {
  static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access { .byDefault }

  static func access(_ sender: Identity?, sending input: Input, in state: State) -> Access {
    state.access(sender, sending: input)
  }
}

struct ReducedSeats: ReducerViewModel, SeatRule {
  typealias Input = Seats.Input
  typealias Action = Seats.Action
  var state = Seats.State()

  func transform(_ input: Input) -> [Action] { Seats.actions(of: input) }

  func reduce(state: inout Seats.State, action: Action) -> [AsyncEffect<Action>] {
    if case .ask(let other, let seat) = action {
      return [.send(Input.leave(seat), to: .id(other), ifRefused: .refused)]
    }
    if case .send(let other) = action { return [.send(Input.knock, to: .id(other))] }
    state.apply(action)
    return []
  }
}

struct PlainSeats: ViewModelProtocol, SeatRule {
  typealias Input = Seats.Input
  typealias Action = Seats.Action
  var state = Seats.State()

  func transform(_ input: Input) -> [Action] { Seats.actions(of: input) }

  mutating func perform(_ action: Action) { state.apply(action) }
}

final class AsyncSeats: AsyncViewModel, SeatRule {
  typealias Input = Seats.Input
  typealias Action = Seats.Action
  var state = Seats.State()

  func transform(_ input: Input) async -> [Action] { Seats.actions(of: input) }

  func perform(_ action: Action) async throws { state.apply(action) }

  func handleError(_ error: SendableError) async {}
}

final class SeatReactor: AsyncReactor, SeatRule {
  typealias Input = Seats.Input
  typealias Mutation = Seats.Action
  typealias Action = Seats.Action
  var currentState = Seats.State()

  func reduce(_ input: Input) async -> Mutation { Seats.actions(of: input)[0] }

  func mutate(_ state: Seats.State, mutation: Mutation) async -> Seats.State {
    var state = state
    state.apply(mutation)
    return state
  }
}
