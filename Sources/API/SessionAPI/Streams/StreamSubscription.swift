import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import UIFusionKit

/// A stream that a client asks for.
struct StreamSubscription {
  var sessions: [any StreamSource]
  /// The sessions that had already ended.
  var ended: [(id: String, end: SessionEnd)] = []
  /// Whether the stream is of several sessions: then events name their session, and ids cover all of them.
  var isOfSeveral = false
  /// Whether the stream's first event tells the client the session's id.
  var isOfNewSession = false
  /// Whether a State may be sent as a patch.
  var isPatching = false
  /// Whether the client accepts gzip.
  var isCompressed = false
  var format: any StreamFormat
  var position: StreamPosition
  /// The slot of the client's quota, taken while the stream is open.
  var slot: ClientSlot?
  /// The login of the client, whose end also ends the stream; nil if it never ends.
  var login: (any SenderLogin)?
}

extension StreamSubscription {
  /// The number that groups streams by thread: streams of one session share bytes, so one thread sends them,
  /// up to ``streamsPerThread``.
  var affinity: Int {
    guard let session = sessions.first else { return 0 }
    return session.id.hashValue &+ session.feed.followers / streamsPerThread
  }

  /// Returns the subscription with one more session.
  func adding(_ session: any StreamSource) -> StreamSubscription {
    var copy = self
    copy.sessions.append(session)
    return copy
  }
}

/// The number of streams to which one thread sends an event in about 6 ms.
private let streamsPerThread = 1024
