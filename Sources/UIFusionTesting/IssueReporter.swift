import Testing

/// Where a test store says what is wrong: to Swift Testing, or in its own tests to a list.
struct IssueReporter: Sendable {
  let report: @Sendable (_ text: String, _ location: SourceLocation) -> Void

  func record(_ text: String, _ location: SourceLocation) {
    report(text, location)
  }

  static let testing = IssueReporter { text, location in
    Issue.record(Comment(rawValue: text), sourceLocation: location)
  }
}
