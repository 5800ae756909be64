import FusionSessions

/// What a client asks of a stream.
struct StreamSubscription {
  var sessions: [any StreamSource]
  /// Sessions that were over already.
  var ended: [(id: SessionID, end: SessionEnd)] = []
  /// Whether events name their session, and ids speak of all of them.
  var isOfSeveral = false
  /// Whether a State may be sent as what has changed in it.
  var isPatching = false
  /// Whether its client takes gzip.
  var isCompressed = false
  var format: any StreamFormat
  var position: StreamPosition
  /// What keeps them in sight, where they are seen through relays.
  var uses: [SessionFeedUse] = []
  /// What the stream takes of its client's limit, while it is open.
  var place: ClientSlot?
}

extension StreamSubscription {
  /// The streams of one session are sent by one thread, which has what they share at hand; from so many on that
  /// would keep it for long, the next ones by another.
  var affinity: Int {
    guard let session = sessions.first else { return 0 }
    return session.id.hashValue &+ session.feed.followers / streamsPerThread
  }

  /// The same with one session more.
  func adding(_ session: any StreamSource) -> StreamSubscription {
    var copy = self
    copy.sessions.append(session)
    return copy
  }

  /// The same with one more that is seen through a relay.
  func adding(_ use: SessionFeedUse) -> StreamSubscription {
    var copy = adding(use.relay)
    copy.uses.append(use)
    return copy
  }
}

/// To send one event to so many takes some 6 ms.
private let streamsPerThread = 1024
