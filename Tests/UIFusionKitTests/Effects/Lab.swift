import UIFusionKit
import UIFusionTesting

/// Runs the effects that it is sent, and notes the actions that arrive.
struct Lab: ReducerViewModel {
  typealias Effect = AsyncEffect<Action>

  enum Input: Sendable {
    case start([Effect])
    case note(String)
    /// Several actions of one turn.
    case all([Action])
  }

  indirect enum Action: Sendable {
    case note(String)
    case start(String, [Effect])
    /// Sends itself again, the given number of times.
    case again(Int)
  }

  struct State: Equatable {
    var notes: [String] = []
    var errors: [SendableError] = []
    var rounds = 0
  }

  var state = State()
  var answer: [Action] = []
  var life: Life?

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .start(let effects): [.start("", effects)]
    case .note(let note): [.note(note)]
    case .all(let actions): actions
    }
  }

  func reduce(state: inout State, action: Action) -> [Effect] {
    switch action {
    case .note(let note): state.notes.append(note)
    case .start(let note, let effects):
      if !note.isEmpty { state.notes.append(note) }
      return effects
    case .again(let rounds):
      state.rounds += 1
      if rounds > 1 { return [.action(.again(rounds - 1))] }
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] {
    [.note("failed: \(error.description) \(error.code) \(error.domain)")] + answer
  }

  /// Reports when the view model that holds it is freed.
  final class Life {
    private let ended: @Sendable () -> Void
    init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
    deinit { ended() }
  }
}

extension Recorder<Lab> {
  var notes: [String] { states.last?.notes ?? [] }

  convenience init(answering error: Lab.Action...) {
    self.init { _ in Lab(answer: error) }
  }

  func start(_ effects: Lab.Effect..., as name: String = "it") {
    send(.start(effects), as: name)
  }

  /// Returns an effect that takes a while, and then sends a note.
  func say(
    _ note: String,
    after time: Duration,
    id: String? = nil,
    policy: EffectPolicy = .replace
  ) -> Lab.Effect {
    .runAction(id: id, policy: policy) { [clock] in
      try await clock.sleep(for: time)
      return .note(note)
    }
  }

  /// Returns an effect that sends an action after some seconds, and then runs for an hour if it has an id.
  func wait(_ seconds: Int, thenSend action: Lab.Action, id: String? = nil) -> Lab.Effect {
    .run(id: id) { [clock] send in
      try await clock.sleep(for: .seconds(seconds))
      await send(action)
      if id != nil { try await clock.sleep(for: .seconds(3600)) }
    }
  }

  /// Returns an effect that sends a note after a while, even if it is cancelled.
  func sayAnyway(
    _ note: String,
    after time: Duration,
    id: String,
    policy: EffectPolicy = .replace,
    thenThrow error: SendableError? = nil
  ) -> Lab.Effect {
    .run(id: id, policy: policy) { [clock] send in
      await Task.detached(executorPreference: clock.executor) {
        try? await clock.sleep(for: time)
      }.value
      await send(.note(note))
      if let error { throw error }
    }
  }
}
