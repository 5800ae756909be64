import Testing
import UIFusionKit
import UIFusionTesting
import XCTest

/// AsyncViewModel's own test case.
final class AsyncViewModelExampleTests: XCTestCase {
  var store: AsyncTestStore<ContentViewModel>!

  override func setUp() {
    super.setUp()
    store = AsyncTestStore { ContentViewModel(time: $0.time) }
  }

  func test_incrementAction_incrementsCount() async {
    let initialCount = store.state.count

    await store.send(.incrementButtonTapped) { $0.count = initialCount + 1 }

    XCTAssertEqual(store.state.count, initialCount + 1)
  }
}
