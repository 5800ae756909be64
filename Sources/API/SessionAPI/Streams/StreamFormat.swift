import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

/// How what happens in a stream is written down.
///
/// To add a format: a type of its own in this folder, and a place in ``StreamFormats/all``. The bytes of a
/// State are made once for each *type* of format and sent on all of its streams, so all values of one type
/// must write the same.
///
/// `?format=patch` selects no format: it allows patches, in whichever format
/// (``StreamSubscription/isPatching``).
protocol StreamFormat: Sendable {
  /// What `Content-Type` says, and by which `Accept` it is asked for.
  var mediaType: String { get }
  /// Asks the client to come back so much later once the stream is over; empty where the format has no
  /// words for it.
  func retry(afterMilliseconds: Int) -> [UInt8]
  /// Shows that the stream goes on, and says nothing.
  var heartbeat: [UInt8] { get }
  /// One event, whose data stands in it as it is; behind that nothing but ends of lines.
  func bytes(of event: WireEvent) -> [UInt8]
  /// A State, in a format that is no event around ``Snapshot/appendMembers(to:)``; else nil.
  func bytes(of snapshot: Snapshot) -> [UInt8]?
  /// The JSON Schema of one event, whose data is an object with one of these sets of members.
  func schema(of events: [(name: String, members: JSONTree)]) -> JSONTree
}

extension StreamFormat {
  func bytes(of snapshot: Snapshot) -> [UInt8]? { nil }
}

/// An event, in the terms that all formats share.
struct WireEvent {
  enum Name: String {
    case state, patch, end
  }

  let name: Name
  /// By which a client resumes: the version, or one opaque text for several sessions; none at the end.
  let id: String?
  /// Whether `id` says more than the data does.
  let isIDOpaque: Bool
  /// A JSON object with members.
  let data: [UInt8]
}

enum StreamFormats {
  /// The first one is for clients that do not care.
  static let all: [any StreamFormat] = [ServerSentEventFormat(), JSONLinesFormat()]

  /// The one that a client would rather have; there always is one, since a stream has no better answer
  /// to who wants none of them.
  static func preferred(by accept: Accept) -> any StreamFormat {
    var best: any StreamFormat = all[0]
    for format in all.dropFirst()
    where accept.quality(of: format.mediaType) > accept.quality(of: best.mediaType) {
      best = format
    }
    return best
  }
}
