extension PackageTemplate {
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

      @Test func `does not count what a reset called off`() async {
        await store.send(.increaseLater) { $0.isWaiting = true }
        await store.send(.reset) { $0.isWaiting = false }
        await store.advance(by: .seconds(1))
        await store.finish()
      }
    }

    """
  }
}
