import Synchronization
import XCTest

/// Failures for XCTest.
enum XCTestFailure {
  /// Fails the test case that runs; false where none does.
  ///
  /// XCTest takes a failure without a word when nothing runs, so an observer tells whether it was heard.
  static func record(_ text: String, _ place: IssueLocation) -> Bool {
    observing.withLock { _ in
      let observer = Observer()
      XCTestObservationCenter.shared.addTestObserver(observer)
      XCTFail(text, file: place.path, line: place.line)
      XCTestObservationCenter.shared.removeTestObserver(observer)
      return observer.hasHeard
    }
  }

  /// One failure at a time: the list of observers has no lock of its own.
  private static let observing = Mutex(())

  private final class Observer: NSObject, XCTestObservation {
    var hasHeard = false

    #if canImport(Darwin)
      func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) { hasHeard = true }
      func testCase(_ testCase: XCTestCase, didRecord expectedFailure: XCTExpectedFailure) {
        hasHeard = true
      }
    #else
      func testCase(
        _ testCase: XCTestCase,
        didFailWithDescription description: String,
        inFile filePath: String?,
        atLine lineNumber: Int
      ) {
        hasHeard = true
      }
    #endif
  }
}
