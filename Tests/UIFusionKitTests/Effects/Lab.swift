import UIFusionKit
import UIFusionTesting

/// Carries out whatever effects it is handed, and notes what arrives.
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
    /// Asks for itself again, so many times.
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

  /// Tells when the view model that holds it has gone.
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

  /// An effect that takes a while, and then says something.
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

  /// An effect that sends an action after so many seconds, and then goes on for an hour if it has an id.
  func wait(_ seconds: Int, thenSend action: Lab.Action, id: String? = nil) -> Lab.Effect {
    .run(id: id) { [clock] send in
      try await clock.sleep(for: .seconds(seconds))
      await send(action)
      if id != nil { try await clock.sleep(for: .seconds(3600)) }
    }
  }

  /// Says something after a while, and takes no notice of being cancelled.
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
