import FoundationEssentials
import Synchronization
import UIFusionKit

/// The logins that have ended before they expire, since their users have logged out; on all nodes.
///
/// Nothing is stored: a process that starts later does not know them.
final class EndedLogins: Sendable {
  /// A login that has ended, as nodes tell each other.
  private struct Ending: Codable, Sendable {
    /// The signature of the login's cookie.
    let signature: [UInt8]
    let expires: Date
  }

  private static let topic: Topic<Ending> = "uifusion ended logins"
  /// The number of logins from which on those that have expired meanwhile are forgotten.
  private static let firstSweep = 1_024

  private struct Contents {
    /// The times at which the logins expire, by signature.
    var expirations: [[UInt8]: Date] = [:]
    var nextSweep = EndedLogins.firstSweep
  }

  private let topics: Topics
  private let date: @Sendable () -> Date
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - topics: the way to other nodes.
  ///   - date: the time of day.
  init(_ topics: Topics, _ date: @escaping @Sendable () -> Date) {
    (self.topics, self.date) = (topics, date)
  }

  /// Whether no login has ended early.
  var isEmpty: Bool { contents.withLock { $0.expirations.isEmpty } }

  func contains(_ signature: [UInt8]) -> Bool {
    contents.withLock { $0.expirations[signature] != nil }
  }

  /// Ends a login here at once, and on the other nodes as soon as they hear of it.
  func end(_ signature: [UInt8], expiring expires: Date) {
    let ending = Ending(signature: signature, expires: expires)
    add(ending)
    topics.publish(ending, to: Self.topic)
  }

  /// Takes the logins that end on other nodes, until the task is cancelled.
  func followOtherNodes() async {
    for await ending in topics.subscribe(to: Self.topic, bufferingNewest: 10_000) { add(ending) }
  }

  private func add(_ ending: Ending) {
    contents.withLock { contents in
      contents.expirations[ending.signature] = ending.expires
      guard contents.expirations.count >= contents.nextSweep else { return }
      let now = date()
      contents.expirations = contents.expirations.filter { $0.value > now }
      contents.nextSweep = max(Self.firstSweep, contents.expirations.count * 2)
    }
  }
}
