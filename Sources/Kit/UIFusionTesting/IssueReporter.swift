import Testing

/// The source location of a step: for Swift Testing, and for XCTest, which needs a static path.
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

/// The receiver of a test store's issues: the running test library, or a list in its own tests.
struct IssueReporter: Sendable {
  let record: @Sendable (_ text: String, _ place: IssueLocation) -> Void

  /// The reporter to Swift Testing or XCTest, whichever runs the test.
  ///
  /// Stops the process if neither does, since the issue would be lost.
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
