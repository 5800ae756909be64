import Synchronization
import Testing
import XCTest

@testable import UIFusionTesting

/// A test store in an `XCTestCase`, for tests ported from XCTest.
@Suite(.serialized) struct `A test store in XCTest` {
  @Test func `fails the running case`() async {
    let failures = await failures { IssueReporter.testing.record("State differs", here()) }
    #expect(failures == 1)
  }

  @Test func `does not fail a case without issues`() async {
    #expect(await failures {} == 0)
  }

  @Test func `detects that no case is running`() async {
    #expect(await Task.detached { !XCTestFailure.record("nobody hears this", here()) }.value)
  }

  /// Runs a case outside of Swift Testing's current test.
  private func failures(_ body: @escaping @Sendable () -> Void) async -> Int {
    await Task.detached {
      let test = XCTestCase(name: "a case") { _ in body() }
      test.run()
      return test.testRun?.failureCount ?? -1
    }.value
  }
}

private func here() -> IssueLocation { IssueLocation(#fileID, #filePath, #line, #column) }
