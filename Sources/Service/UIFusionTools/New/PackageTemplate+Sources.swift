extension PackageTemplate {
  /// `Sources/NAME/main.swift`.
  var main: String {
    """
    import UIFusionKit
    import UIFusionServer
    import UIFusionTools

    var catalog = ViewModelCatalog()
    \(hosted)
    \(parts.contains(.login) ? withLogins : "await UIFusionCommand.main(catalog, tools: .all)")

    """
  }

  private var hosted: String {
    guard parts.contains(.shared) else {
      return "catalog.host(\"\(name)\", summary: \"Counts\") { \(name.viewModel)(time: $0.time) }"
    }
    return """
      catalog.host("house", summary: "Has hours that people book") { _ in House() }
      catalog.host("desk", summary: "Books hours of the house") { _ in Desk() }
      catalog.atStart { sessions in
        _ = try await sessions.create("house", name: "main", shared: true)
      }
      """
  }

  private var withLogins: String {
    """
    var routes = Routes()
    addLoginRoutes(to: &routes)
    await UIFusionCommand.main(catalog, routes: routes, tools: .all)
    """
  }

  /// `Sources/NAME/NAMEViewModel.swift`.
  var viewModel: String {
    """
    import UIFusionKit

    /// Counts: at once, or a second later.
    struct \(name.viewModel): ReducerViewModel {
      /// A request of a client.
      enum Input: Codable, Sendable { case increase, increaseLater, reset }

      /// A step that changes State or starts an effect.
      enum Action: Codable, Sendable { case increase, wait, arrive, reset }

      /// The snapshot that clients see.
      struct State: Codable, Equatable, Sendable {
        var count = 0
        var isWaiting = false
      }

      private enum EffectName { case wait }

      var state = State()
      let time: any TimeSource

      func transform(_ input: Input) -> [Action] {
        switch input {
        case .increase: [.increase]
        case .increaseLater: [.wait]
        case .reset: [.reset]
        }
      }

      func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
        switch action {
        case .increase:
          state.count += 1
        case .wait:
          state.isWaiting = true
          return [
            .runAction(id: EffectName.wait) { [time] in
              try await time.sleep(for: .seconds(1))
              return .arrive
            }
          ]
        case .arrive:
          state.count += 1
          state.isWaiting = false
        case .reset:
          state = State()
          return [.cancel(id: EffectName.wait)]
        }
        return []
      }

      /// Starts the wait again after a restart, which effects do not survive.
      func restored(_ interrupted: Interrupted) -> [Action] {
        state.isWaiting ? [.wait] : []
      }
    }

    """
  }

  /// `Tests/NAMETests/NAMETests.swift`.
  var tests: String {
    """
    import Testing
    import UIFusionKit
    import UIFusionTesting

    @testable import \(name.module)

    struct \(name.tests) {
      let store = AsyncTestStore { \(name.viewModel)(time: $0.time) }

      @Test func `counts at once`() async {
        await store.send(.increase) { $0.count = 1 }
        await store.send(.increase) { $0.count = 2 }
        await store.finish()
      }

      @Test func `counts a second later`() async {
        await store.send(.increaseLater) { $0.isWaiting = true }
        await store.advance(by: .seconds(1))
        await store.receive(.arrive) {
          $0.count = 1
          $0.isWaiting = false
        }
        await store.finish()
      }

      @Test func `does not count after a reset`() async {
        await store.send(.increaseLater) { $0.isWaiting = true }
        await store.send(.reset) { $0.isWaiting = false }
        await store.advance(by: .seconds(1))
        await store.finish()
      }
    }

    """
  }
}
