import Glibc

/// What clients were told by a service that fails and dies, and what its effects did outside.
///
/// A fact that came after the process was killed is in it only where the client cannot know that.
package struct History: Sendable {
  package var patterns: [SessionPath: Pattern] = [:]
  package var requests: [Request] = []
  package var views: [View] = []
  package var effects: [Effect] = []
  package var streamEnds: [StreamEnd] = []

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

/// A number that one sender uses once: what an Input did is found by it.
///
/// A sender's numbers rise in the order in which it sends them.
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

/// A POST of one Input, or of a batch; a repetition is a request of its own.
package struct Request: Sendable {
  package struct Input: Sendable, Equatable {
    package var number: InputNumber
    /// Whether its number is to stand in State.
    package var changesState: Bool

    package init(_ number: InputNumber, changesState: Bool = true) {
      self.number = number
      self.changesState = changesState
    }
  }

  package enum Answer: Sendable, Equatable {
    /// `200`, with the index in ``History/views`` of what it shows.
    case acknowledged(view: Int, isSettled: Bool, isRepetition: Bool)
    /// A problem that says that nothing was applied.
    case refused(String)
    /// `202`: it stood in the queue.
    case queued
    /// It may have been applied: a problem says so, or no answer came before the process was killed.
    case unknown
    /// None came, though the process lived.
    case missing
    /// One that makes no sense here.
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

/// A version of a session, with the numbers in its State, that somebody was shown.
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
  /// When it was asked for; nil for a stream's later events, which nobody asked for.
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

/// What an Input does outside of the service has begun.
package struct Effect: Sendable {
  package var number: InputNumber
  package var began: Moment

  package init(_ number: InputNumber, began: Moment) {
    self.number = number
    self.began = began
  }
}

/// The newest version that a stream had shown when all was quiet.
package struct StreamEnd: Sendable {
  package var session: History.SessionPath
  package var newest: Int
  /// The session's own, by then.
  package var version: Int

  package init(_ session: History.SessionPath, newest: Int, version: Int) {
    self.session = session
    self.newest = newest
    self.version = version
  }
}
