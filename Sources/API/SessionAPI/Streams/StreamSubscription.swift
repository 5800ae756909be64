import FusionHTTPMessages
import FusionHTTPToolkit
package import FusionSessions
package import UIFusionKit

/// The stream that a client asks for.
struct StreamSubscription {
  var sessions: [any StreamSource]
  /// The sessions that were over already.
  var ended: [(id: String, end: SessionEnd)] = []
  /// Whether the stream is of several sessions: events name their session, and ids describe all of them.
  var isOfSeveral = false
  /// Whether the client learns the session's id by the stream's first event.
  var isOfNewSession = false
  /// Whether a State may be sent as a patch.
  var isPatching = false
  /// Whether the client takes gzip.
  var isCompressed = false
  var format: any StreamFormat
  var position: StreamPosition
  /// The slot of the client's quota, taken while the stream is open.
  var slot: ClientSlot?
  /// The login of the client, with which the stream ends; nil for one that does not end.
  var login: (any SenderLogin)?
}

extension StreamSubscription {
  /// The number that groups streams by thread: those of one session share bytes, so one thread sends them, up to
  /// ``streamsPerThread``.
  var affinity: Int {
    guard let session = sessions.first else { return 0 }
    return session.id.hashValue &+ session.feed.followers / streamsPerThread
  }

  /// Returns the subscription with one session more.
  func adding(_ session: any StreamSource) -> StreamSubscription {
    var copy = self
    copy.sessions.append(session)
    return copy
  }
}

/// The number of streams to which one thread sends an event in some 6 ms.
private let streamsPerThread = 1024

/// A session as a stream sees it: at work in this process, or shown here for another node.
package protocol StreamSource: AnyObject, Sendable {
  var id: SessionID { get }
  /// The id by which the stream's client knows the session.
  var shownID: String { get }
  var feed: SnapshotFeed { get }
  /// The id of the identity that the session belongs to; nil if anyone with the id may use it.
  var identity: String? { get }
  /// Throws where the State is not small and memory is full.
  func requireMemory(forBody size: Int) throws(MemoryFull)
  /// Keeps the session in use until ``endUse()``.
  func beginUse()
  func endUse()
  /// Whether the session's view model may be told who is there.
  var isToldOfVisitors: Bool { get }
  /// Notes that a visitor follows the session, until ``leave(_:)``; visits are counted.
  func enter(_ visitor: Visitor)
  func leave(_ visitor: Visitor)
}

extension StreamSource {
  package var shownID: String { id.description }
  package var isToldOfVisitors: Bool { false }
  package func enter(_ visitor: Visitor) {}
  package func leave(_ visitor: Visitor) {}
}

extension Session: StreamSource {}
