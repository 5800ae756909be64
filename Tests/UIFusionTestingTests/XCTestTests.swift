import Synchronization
import Testing
import XCTest

@testable import UIFusionTesting

/// A test store in an `XCTestCase`, as those have it who come from XCTest.
@Suite(.serialized) struct `A test store in XCTest` {
  @Test func `fails the case that runs`() async {
    let failures = await failures { IssueReporter.testing.record("State differs", here()) }
    #expect(failures == 1)
  }

  @Test func `leaves a case alone that has nothing wrong`() async {
    #expect(await failures {} == 0)
  }

  @Test func `knows when no case runs`() async {
    #expect(await Task.detached { !XCTestFailure.record("nobody hears this", here()) }.value)
  }

  /// Runs a case where Swift Testing does not know that a test of its own runs.
  private func failures(_ body: @escaping @Sendable () -> Void) async -> Int {
    await Task.detached {
      let test = XCTestCase(name: "a case") { _ in body() }
      test.run()
      return test.testRun?.failureCount ?? -1
    }.value
  }
}

private func here() -> IssueLocation { IssueLocation(#fileID, #filePath, #line, #column) }
