import UIFusionTesting
import XCTest

/// A test case as a port from XCTest writes it.
final class FetcherCase: XCTestCase {
  func testAStoreFollowsAViewModel() async {
    let store = AsyncTestStore(viewModel: Fetcher())
    await store.send(.fetch) { $0.isLoading = true }
    await store.advance(by: .seconds(1))
    await store.receive(.fetched(7)) {
      $0.number = 7
      $0.isLoading = false
    }
    await store.finish()
  }
}
