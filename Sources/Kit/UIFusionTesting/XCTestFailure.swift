import Synchronization
import XCTest

/// Records failures in XCTest.
enum XCTestFailure {
  /// Fails the running test case; returns false if none is running.
  ///
  /// XCTest ignores a failure silently if nothing is running, so an observer confirms it.
  static func record(_ text: String, _ place: IssueLocation) -> Bool {
    observing.withLock { _ in
      let observer = Observer()
      XCTestObservationCenter.shared.addTestObserver(observer)
      XCTFail(text, file: place.path, line: place.line)
      XCTestObservationCenter.shared.removeTestObserver(observer)
      return observer.hasHeard
    }
  }

  /// Serializes failures: the list of observers has no lock of its own.
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
