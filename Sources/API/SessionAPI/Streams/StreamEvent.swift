import FusionHTTPMessages
import FusionJSONPatch
import FusionSessions
import FusionStrictJSON

/// An event of a stream.
enum StreamEvent {
  /// The time after which a client reconnects.
  case retry
  /// A snapshot; sent as a patch to the earlier one, if given and if the patch is shorter.
  case state(Snapshot, since: Snapshot?, label: Label?)
  /// The end of a session; names the session in a stream of several.
  case end(SessionEnd, of: String?)
  /// The end of the client's login, and so of the stream; its sessions continue.
  case signedOut
  case heartbeat

  /// The additional members of an event that names its session.
  struct Label {
    let session: String
    /// The id of the event in a stream of several sessions; nil in a stream of one, where the version is the
    /// id.
    let position: String?
  }

  /// The time that a client waits before it reconnects.
  private static var retryMilliseconds: Int { 1_000 }

  /// Returns the event's bytes; empty if the format has no such event.
  func chunk(in format: some StreamFormat) -> BodyChunk {
    switch self {
    case .retry, .heartbeat, .end, .signedOut: return BodyChunk(note(in: format))
    case .state(let snapshot, let base, let label):
      if let base, let patch = snapshot.patch(from: base) {
        let bytes = Self.event(.patch, (snapshot, label), in: format) { bytes in
          Self.appendPatchMembers(to: &bytes, from: base, to: snapshot)
          bytes += patch
        }
        return BodyChunk(bytes)
      }
      let whole = { (snapshot: Snapshot) in
        BodyChunk(Self.event(.state, (snapshot, label), in: format, snapshot.appendMembers))
      }
      guard label == nil else { return whole(snapshot) }
      // Without a label, all streams of one format send the same bytes.
      let form = ObjectIdentifier(type(of: format))
      return BodyChunk(framed: snapshot.bytes(in: form) { whole($0).bytes })
    }
  }

  /// Returns the bytes of an event without a State.
  func note(in format: some StreamFormat) -> [UInt8] {
    switch self {
    case .retry: return format.retry(afterMilliseconds: Self.retryMilliseconds)
    case .heartbeat: return format.heartbeat
    case .end(let end, let session):
      var data = Self.data(of: session)
      data += "\"reason\":\"\(end.rawValue)\"}".utf8
      let isOpaque = session != nil
      return format.bytes(of: WireEvent(name: .end, id: nil, isIDOpaque: isOpaque, data: data))
    case .signedOut:
      let data = Array("{\"reason\":\"signed-out\"}".utf8)
      return format.bytes(of: WireEvent(name: .end, id: nil, isIDOpaque: false, data: data))
    case .state: return []
    }
  }

  /// Appends the members that precede the patch.
  static func appendPatchMembers(
    to bytes: inout [UInt8],
    from base: Snapshot,
    to snapshot: Snapshot
  ) {
    bytes += "\"from\":\(base.version),\"version\":\(snapshot.version),\"patch\":".utf8
  }

  /// Returns the bytes of an event with a State, complete or as a patch.
  static func event(
    _ name: WireEvent.Name,
    _ position: (snapshot: Snapshot, label: Label?),
    in format: some StreamFormat,
    _ appendMembers: (inout [UInt8]) -> Void
  ) -> [UInt8] {
    let room = name == .state ? position.snapshot.shownSize : 0
    var data = data(of: position.label?.session, room: room)
    appendMembers(&data)
    data.append(UInt8(ascii: "}"))
    let id = position.label?.position ?? String(position.snapshot.version)
    let isOpaque = position.label?.position != nil
    return format.bytes(of: WireEvent(name: name, id: id, isIDOpaque: isOpaque, data: data))
  }

  /// Returns the beginning of an event's data.
  private static func data(of session: String?, room: Int = 0) -> [UInt8] {
    var data: [UInt8] = []
    data.reserveCapacity(room + 64)
    data.append(UInt8(ascii: "{"))
    if let session { data += "\"session\":\"\(session)\",".utf8 }
    return data
  }
}
