/// All that a store keeps of a session.
package struct StoredSession: Sendable, Equatable {
  package var id: SessionID
  package var viewModel: String
  /// What it was created with, as JSON; empty where that is nothing.
  package var parameters: [UInt8]
  package var created: WallTime
  /// When somebody was there last.
  package var used: WallTime
  /// The State from which reading begins.
  package var head: StoredHead
  /// What came after the head, in order.
  package var entries: [JournalEntry]
  /// The answers that are kept for repetitions, oldest first; those of `entries` among them.
  package var answers: [KeyedAnswer]

  package init(
    id: SessionID,
    viewModel: String,
    parameters: [UInt8] = [],
    created: WallTime,
    used: WallTime,
    head: StoredHead,
    entries: [JournalEntry] = [],
    answers: [KeyedAnswer] = []
  ) {
    self.id = id
    self.viewModel = viewModel
    self.parameters = parameters
    self.created = created
    self.used = used
    self.head = head
    self.entries = entries
    self.answers = answers
  }

  /// The number of the newest entry; 0 where there never was one.
  package var sequence: Int { entries.last?.sequence ?? head.sequence }
}

/// A session's State in whole.
package struct StoredHead: Sendable, Equatable {
  /// The entry after which it was so; 0 before the first.
  package var sequence: Int
  package var version: Int
  /// The view model's number for the shape of its State.
  package var format: Int
  /// As JSON.
  package var state: [UInt8]
  /// The names of what was running.
  package var running: [String]

  package init(
    sequence: Int,
    version: Int,
    format: Int,
    state: [UInt8],
    running: [String] = []
  ) {
    self.sequence = sequence
    self.version = version
    self.format = format
    self.state = state
    self.running = running
  }
}

/// What one turn came to, and what led to it.
package struct JournalEntry: Sendable, Equatable {
  /// One more than that of the session's entry before.
  package var sequence: Int
  /// The version that is current after it.
  package var version: Int
  package var time: WallTime
  package var outcome: Outcome
  /// The names of what was running when State was stored.
  package var running: [String]
  /// The Inputs and Actions that led to it: JSON, an object a line; may be empty.
  package var trace: [UInt8]
  /// The answer that it gave to Inputs that came with a key.
  package var answer: KeyedAnswer?

  package enum Outcome: Sendable, Equatable {
    /// State is as it was.
    case unchanged
    /// The State in whole, as JSON.
    case state([UInt8])
    /// What makes it of the State before: a JSON Patch (RFC 6902).
    case patch([UInt8])
  }

  package init(
    sequence: Int,
    version: Int,
    time: WallTime,
    outcome: Outcome,
    running: [String] = [],
    trace: [UInt8] = [],
    answer: KeyedAnswer? = nil
  ) {
    self.sequence = sequence
    self.version = version
    self.time = time
    self.outcome = outcome
    self.running = running
    self.trace = trace
    self.answer = answer
  }
}

/// The answer to Inputs that came with a key.
package struct KeyedAnswer: Sendable, Equatable {
  package var key: String
  /// Stands for the body: 32 bytes.
  package var body: [UInt8]
  package var receipt: Receipt
  package var time: WallTime

  package init(key: String, body: [UInt8], receipt: Receipt, time: WallTime) {
    self.key = key
    self.body = body
    self.receipt = receipt
    self.time = time
  }
}
