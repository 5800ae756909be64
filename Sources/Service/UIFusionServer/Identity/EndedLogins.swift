import FoundationEssentials
import Synchronization
import UIFusionKit

/// The logins that have ended before they expire, since their users have logged out; on all nodes.
///
/// Nothing is stored: a process that starts later does not know them.
final class EndedLogins: Sendable {
  /// A login that has ended, as nodes tell each other.
  private struct Ending: Codable, Sendable {
    let name: String
    let expires: Date
  }

  private static let topic: Topic<Ending> = "uifusion ended logins"
  /// The number of logins from which on those that have expired meanwhile are forgotten.
  private static let firstSweep = 1_024
  /// The number of logins that are known at the most: beyond it, those that expire first are forgotten.
  private static let limit = 200_000

  private struct Contents {
    /// The times from which on the logins need not be known any more, by the logins' names.
    var expirations: [String: Date] = [:]
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

  func contains(_ name: String) -> Bool { contents.withLock { $0.expirations[name] != nil } }

  /// Ends a login here at once, and on the other nodes as soon as they hear of it.
  func end(_ name: String, expiring expires: Date) {
    let ending = Ending(name: name, expires: expires)
    add(ending)
    topics.publish(ending, to: Self.topic)
  }

  /// Takes the logins that end on other nodes, until the task is cancelled.
  func followOtherNodes() async {
    for await ending in topics.subscribe(to: Self.topic, bufferingNewest: 10_000) { add(ending) }
  }

  private func add(_ ending: Ending) {
    contents.withLock { contents in
      contents.expirations[ending.name] = ending.expires
      guard contents.expirations.count >= contents.nextSweep else { return }
      let now = date()
      contents.expirations = contents.expirations.filter { $0.value > now }
      if contents.expirations.count >= Self.limit {
        let latest = contents.expirations.sorted { $0.value > $1.value }.prefix(Self.limit / 2)
        contents.expirations = Dictionary(uniqueKeysWithValues: latest.map { ($0.key, $0.value) })
      }
      contents.nextSweep = min(max(Self.firstSweep, contents.expirations.count * 2), Self.limit)
    }
  }
}
