import Testing
import UIFusionKit
import UIFusionTesting

private struct User: Equatable { var name: String }

/// AsyncReactorKit's State, with a member of each kind.
private struct State: Equatable {
  @Pulse var alertMessage: String?
  var userData: User?
}

private final class Profile: AsyncReactor {
  enum Input { case alert(String), show(User) }
  typealias Mutation = Input

  var currentState = State()

  func reduce(_ input: Input) async -> Mutation { input }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    var newState = state
    switch mutation {
    case .alert(let message): newState.alertMessage = message
    case .show(let user): newState.userData = user
    }
    return newState
  }
}

@MainActor struct `AsyncReactorKit's Pulse` {
  @Test func `announces every assignment, unlike a plain member`() async {
    let clock = TestClock()
    let store = ObservableStore(clock.dependencies) { _ in Profile() }
    var alerts: [String?] = []
    var users: [User?] = []
    let observations = [
      store.observe(pulse: \.$alertMessage) { alerts.append($0) },
      store.observe(\.userData) { users.append($0) },
    ]
    for _ in 1...2 { store.send(.alert("Full"), .show(User(name: "Ada"))) }
    await clock.idle()
    store.deliver()
    #expect(alerts == ["Full", "Full"])
    #expect(users == [nil, User(name: "Ada")])
    withExtendedLifetime(observations) {}
  }
}
