import UIFusionKit

/// A house that all share, with a rule: hosts may lock it, and a banned person may do nothing.
struct House: ReducerViewModel, AccessControlled {
  enum Input: Codable, Equatable, Sendable { case ring(Int), lock, call(String) }

  struct State: Codable, Equatable, Sendable {
    var rings = 0
    var isLocked = false
    var refused = 0
    var reason = ""
    var roles: [String] = []
  }

  enum Action: Codable, Sendable { case ring(Int), lock([String]), call(String), refused }

  var state = State()

  static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    let isHost = sender?.roles.contains("host") == true
    return switch use {
    case .read: sender?.roles.contains("banned") == true ? .denied("You are banned.") : .byDefault
    case .send(.lock): isHost ? .allowed : .denied("Only a host locks the house.")
    case .send(.ring(let count)) where count > 3: .denied("Ring three times at the most.")
    case .send: .byDefault
    case .end: isHost ? .allowed : .byDefault
    case .share, .inspect, .fork: isHost ? .allowed : .denied("Ask a host.")
    }
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .ring(let count): [.ring(count)]
    case .lock: [.lock(InputSender.identity?.roles.sorted() ?? [])]
    case .call(let other): [.call(other)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .ring(let count): state.rings += count
    case .lock(let roles): (state.isLocked, state.roles) = (true, roles)
    case .call(let other):
      return [.send(Input.lock, to: .id(other), ifRefused: .refused)]
    case .refused:
      state.refused += 1
      state.reason = InputSender.refusal ?? "unknown"
    }
    return []
  }
}
