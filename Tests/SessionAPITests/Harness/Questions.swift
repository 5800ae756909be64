import UIFusionKit

/// Asks other sessions, and keeps what they reply.
struct Asker: ReducerViewModel, AccessControlled {
  enum Input: Codable, Equatable, Sendable {
    case ask(Oracle.Input, of: String)
    case askEither(Oracle.Input, of: String, or: String)
    case answered(Int)
    case answeredSlowly(Int)
  }
  enum Action: Codable, Equatable, Sendable {
    case input(Input), ask(Oracle.Input, of: String), refused, noted(Int)
  }
  struct State: Codable, Equatable, Sendable {
    var answers: [Int] = []
    var refusals = 0
  }

  var state = State()

  func transform(_ input: Input) -> [Action] { [.input(input)] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .input(.ask(let question, let id)):
      return [.send(question, to: .id(id), ifRefused: .refused)]
    case .input(.askEither(let question, let id, let other)):
      return [.send(question, to: .id(id), ifRefused: .ask(question, of: other))]
    case .ask(let question, let id): return [.send(question, to: .id(id))]
    case .input(.answered(let number)), .noted(let number): state.answers.append(number)
    case .input(.answeredSlowly(let number)):
      return [.sleepThen(for: .seconds(1), action: .noted(number))]
    case .refused: state.refusals += 1
    }
    return []
  }

  /// Only somebody known asks, and nobody else sends anything.
  static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    sender == nil ? .denied("Sign in.") : .byDefault
  }
}

/// Answers the sessions that ask it.
struct Oracle: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable {
    case ask(Int)
    case askLong(Int)
    case askSlowly(Int, seconds: Int)
    case askSilently(Int)
    case count(Int)
  }
  enum Action: Codable, Equatable, Sendable {
    case input(Input), found(Int, for: String?), lost
  }
  struct State: Codable, Equatable, Sendable {
    var asked: [Int] = []
    var lost = 0
  }

  var state = State()
  let id: String

  func transform(_ input: Input) -> [Action] { [.input(input)] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .input(.count(let number)):
      if number > 0 { return [.send(Input.count(number - 1), to: .id(id))] }
      state.asked.append(0)
    case .input(.ask(let number)):
      state.asked.append(number)
      return [.reply(Asker.Input.answered(number), ifRefused: .lost)]
    case .input(.askLong(let number)):
      state.asked.append(number)
      return [.reply(Asker.Input.answeredSlowly(number))]
    case .input(.askSlowly(let number, let seconds)):
      state.asked.append(number)
      let found = Action.found(number, for: InputSender.session)
      return [.sleepThen(for: .seconds(seconds), action: found)]
    case .input(.askSilently(let number)): state.asked.append(number)
    case .found(let number, let session):
      return [.reply(Asker.Input.answered(number), to: session, ifRefused: .lost)]
    case .lost: state.lost += 1
    }
    return []
  }
}

/// Answers like ``Oracle``, in the pattern without effects.
struct PlainOracle: ViewModelProtocol, AlarmSetting {
  enum Input: Codable, Sendable { case ask(Int) }
  typealias Action = Input

  var state: [Int] = []
  let alarms = Alarms<Action>()

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    guard case .ask(let number) = action else { return }
    state.append(number)
    alarms.reply(Asker.Input.answered(number))
  }
}

/// Asks like ``Asker``, in the pattern whose Inputs suspend.
final class SuspendingAsker: AsyncViewModel, AlarmSetting {
  enum Input: Codable, Sendable { case ask(of: String), answered(Int) }
  typealias Action = Input
  typealias State = [Int]

  var state: [Int] = []
  let alarms = Alarms<Action>()

  func transform(_ input: Input) async -> [Action] { [input] }

  func perform(_ action: Action) async throws {
    switch action {
    case .ask(let id): alarms.send(Oracle.Input.askSlowly(7, seconds: 3), to: .id(id))
    case .answered(let number): state.append(number)
    }
  }

  func handleError(_ error: SendableError) async {}
}
