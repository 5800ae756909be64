import Testing

/// Where in a test something was said: for Swift Testing, and for XCTest, which wants a static path.
struct IssueLocation: Sendable {
  let location: SourceLocation
  let path: StaticString

  init(_ fileID: String, _ filePath: StaticString, _ line: Int, _ column: Int) {
    path = filePath
    location = SourceLocation(
      fileID: fileID,
      filePath: "\(filePath)",
      line: line,
      column: column
    )
  }

  var line: UInt { UInt(location.line) }
}

/// Where a test store says what is wrong: to the test library that runs, or in its own tests to a list.
struct IssueReporter: Sendable {
  let report: @Sendable (_ text: String, _ place: IssueLocation) -> Void

  func record(_ text: String, _ place: IssueLocation) {
    report(text, place)
  }

  /// Reports to Swift Testing or to XCTest, whichever runs the test; where neither does, stops the
  /// process, as nobody else would notice.
  static let testing = IssueReporter { text, place in
    if Test.current != nil {
      Issue.record(Comment(rawValue: text), sourceLocation: place.location)
    } else if !XCTestFailure.record(text, place) {
      fatalError(
        "\(text)\n(No test could be told. Use the store within the test's own task, not in Task.detached.)"
      )
    }
  }
}
