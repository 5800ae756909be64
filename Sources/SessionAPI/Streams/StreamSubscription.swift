import FusionSessions

/// What a client asks of a stream.
struct StreamSubscription {
  var sessions: [Session]
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
  /// What the stream takes of its client's limit, while it is open.
  var place: ClientPlace?
}
