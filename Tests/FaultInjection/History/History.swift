import Glibc

/// The record of a faulty service's answers to clients, and of its external effects.
///
/// A fact from after the kill is recorded only if the client cannot know about the kill.
package struct History: Sendable {
  package var patterns: [SessionPath: Pattern] = [:]
  package var requests: [Request] = []
  package var views: [View] = []
  package var effects: [Effect] = []
  package var streamEnds: [StreamEnd] = []
  package var forks: [Fork] = []
  package var recoveries: [Recovery] = []

  package init() {}

  package typealias SessionPath = String
}

/// Nanoseconds of the machine's monotonic clock, which all its processes share.
package typealias Moment = UInt64

package func now() -> Moment {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Moment(time.tv_sec) * 1_000_000_000 + Moment(time.tv_nsec)
}

/// A number that identifies one Input in States and effects.
///
/// A sender's numbers rise in the order of its Inputs.
package struct InputNumber: Hashable, Comparable, Codable, Sendable {
  package let value: Int

  package init(_ value: Int) { self.value = value }

  package init(sender: Int, _ count: Int) { value = sender * 1_000_000 + count }

  package var sender: Int { value / 1_000_000 }

  package init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Int.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  package static func < (a: Self, b: Self) -> Bool { a.value < b.value }
}

/// A POST of one Input or a batch; a repetition is a separate request.
package struct Request: Sendable {
  package struct Input: Sendable, Equatable {
    package var number: InputNumber
    /// Whether the Input adds its number to State.
    package var changesState: Bool

    package init(_ number: InputNumber, changesState: Bool = true) {
      self.number = number
      self.changesState = changesState
    }
  }

  package enum Answer: Sendable, Equatable {
    /// `200`, with the index of its view in ``History/views``.
    case acknowledged(view: Int, isSettled: Bool, isRepetition: Bool)
    /// A problem that states that nothing was applied.
    case refused(String)
    /// `202`: the Input was in the queue.
    case queued
    /// In doubt: a problem says so, or the process was killed before it answered.
    case unknown
    /// No answer, although the process was alive.
    case missing
    /// An answer that the contract does not allow here.
    case unexpected(String)
  }

  package var session: History.SessionPath
  package var inputs: [Input]
  package var key: String?
  package var sent: Moment
  package var answer: Answer

  package init(
    _ session: History.SessionPath,
    _ inputs: [Input],
    key: String? = nil,
    sent: Moment,
    _ answer: Answer
  ) {
    self.session = session
    self.inputs = inputs
    self.key = key
    self.sent = sent
    self.answer = answer
  }
}

/// A version of a session as a client saw it, with the numbers in its State.
package struct View: Sendable {
  package enum Source: Sendable, Hashable {
    case answer
    /// An answer with `Idempotency-Replayed`.
    case repetition
    /// An event of a stream, by the stream's number.
    case stream(Int)
  }

  package var session: History.SessionPath
  package var source: Source
  /// The time of the request; nil for a stream's later events.
  package var asked: Moment?
  package var received: Moment
  package var version: Int
  package var items: [InputNumber]

  package init(
    _ session: History.SessionPath,
    _ source: Source,
    asked: Moment?,
    received: Moment,
    version: Int,
    items: [InputNumber]
  ) {
    self.session = session
    self.source = source
    self.asked = asked
    self.received = received
    self.version = version
    self.items = items
  }
}

/// The beginning of an Input's effect outside the service.
package struct Effect: Sendable {
  package var number: InputNumber
  package var began: Moment

  package init(_ number: InputNumber, began: Moment) {
    self.number = number
    self.began = began
  }
}

/// The newest version that a stream had shown when no Input was left.
package struct StreamEnd: Sendable {
  package var session: History.SessionPath
  package var newest: Int
  /// The session's version at that time.
  package var version: Int

  package init(_ session: History.SessionPath, newest: Int, version: Int) {
    self.session = session
    self.newest = newest
    self.version = version
  }
}

/// A session that was forked from a version of another session.
package struct Fork: Sendable {
  package var session: History.SessionPath
  package var origin: History.SessionPath
  package var version: Int

  package init(_ session: History.SessionPath, of origin: History.SessionPath, at version: Int) {
    (self.session, self.origin, self.version) = (session, origin, version)
  }
}

/// A recovery of a session while no service ran.
package struct Recovery: Sendable {
  package var session: History.SessionPath
  /// The version whose State was restored.
  package var version: Int
  package var began: Moment
  /// Whether the tool reported success; otherwise the outcome is unknown.
  package var isKnown: Bool

  package init(
    _ session: History.SessionPath,
    to version: Int,
    began: Moment,
    isKnown: Bool = true
  ) {
    (self.session, self.version, self.began, self.isKnown) = (session, version, began, isKnown)
  }
}
