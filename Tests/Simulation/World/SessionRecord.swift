import Sessions

/// A session as the clients know it.
final class SessionRecord: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let id: SessionID
  let viewModel: String
  /// The newest version that anybody was shown.
  var seen = 0
  var isOver = false

  init(_ id: SessionID, viewModel: String) {
    self.id = id
    self.viewModel = viewModel
  }

  var path: String { "/sessions/\(id)" }
}

/// Inputs that a client wants done, and what it was told of them.
final class Order: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let session: SessionRecord
  let numbers: [Int]
  let body: String
  let key: String?
  let prefer: String?
  let isConditional: Bool
  /// What repetitions have to be answered; nil until one was that holds.
  var answer: Answer?
  /// Whether a client knows that they were taken up.
  var isAcknowledged = false
  /// Whether they may have been taken up, though no client knows.
  var isInDoubt = false

  struct Answer: Equatable {
    var status: Int
    var body: [UInt8]
    var tag: String?
    var applied: String?
  }

  init(
    _ session: SessionRecord,
    _ numbers: [Int],
    body: String,
    key: String?,
    prefer: String?,
    isConditional: Bool
  ) {
    self.session = session
    self.numbers = numbers
    self.body = body
    self.key = key
    self.prefer = prefer
    self.isConditional = isConditional
  }
}
