import FusionHTTPMessages
import FusionJSONPatch
import FusionSessions
import FusionStrictJSON

/// One thing that a stream says.
enum StreamEvent {
  /// How soon to come back.
  case retry
  /// A State; as a patch to an earlier one, where there is one and that is shorter.
  case state(Snapshot, since: Snapshot?, label: Label?)
  /// A session is over; named in a stream of several.
  case end(SessionEnd, of: SessionID?)
  case heartbeat

  /// What an event of several sessions carries beside the snapshot.
  struct Label {
    let session: SessionID
    let position: String
  }

  /// How long a client of a stream that broke off waits.
  private static var retryMilliseconds: Int { 1_000 }

  /// Empty where the format has nothing for it.
  func chunk(in format: some StreamFormat) -> BodyChunk {
    switch self {
    case .retry, .heartbeat, .end: return BodyChunk(note(in: format))
    case .state(let snapshot, let base, let label):
      if let base, let patch = snapshot.patch(from: base) {
        let bytes = Self.event(.patch, (snapshot, label), in: format) { bytes in
          Self.appendPatchMembers(to: &bytes, from: base, to: snapshot)
          bytes += patch
        }
        return BodyChunk(bytes)
      }
      let whole = { (snapshot: Snapshot) in
        BodyChunk(
          format.bytes(of: snapshot)
            ?? Self.event(.state, (snapshot, label), in: format, snapshot.appendMembers)
        )
      }
      guard label == nil else { return whole(snapshot) }
      // Without a label all streams of one format send the same bytes.
      let form = ObjectIdentifier(type(of: format))
      return BodyChunk(framed: snapshot.bytes(in: form) { whole($0).bytes })
    }
  }

  /// What has no State in it.
  func note(in format: some StreamFormat) -> [UInt8] {
    switch self {
    case .retry: return format.retry(afterMilliseconds: Self.retryMilliseconds)
    case .heartbeat: return format.heartbeat
    case .end(let end, let session):
      var data = Self.data(of: session)
      data += "\"reason\":\"\(end.rawValue)\"}".utf8
      let isOpaque = session != nil
      return format.bytes(of: WireEvent(name: .end, id: nil, isIDOpaque: isOpaque, data: data))
    case .state: return []
    }
  }

  /// Up to the patch itself.
  static func appendPatchMembers(
    to bytes: inout [UInt8],
    from base: Snapshot,
    to snapshot: Snapshot
  ) {
    bytes += "\"from\":\(base.version),\"version\":\(snapshot.version),\"patch\":".utf8
  }

  /// A State, in whole or as a patch.
  static func event(
    _ name: WireEvent.Name,
    _ position: (snapshot: Snapshot, label: Label?),
    in format: some StreamFormat,
    _ appendMembers: (inout [UInt8]) -> Void
  ) -> [UInt8] {
    var data = data(of: position.label?.session, room: position.snapshot.state.count)
    appendMembers(&data)
    data.append(UInt8(ascii: "}"))
    let id = position.label?.position ?? String(position.snapshot.version)
    let isOpaque = position.label != nil
    return format.bytes(of: WireEvent(name: name, id: id, isIDOpaque: isOpaque, data: data))
  }

  /// The beginning.
  private static func data(of session: SessionID?, room: Int = 0) -> [UInt8] {
    var data: [UInt8] = []
    data.reserveCapacity(room + 64)
    data.append(UInt8(ascii: "{"))
    if let session { data += "\"session\":\"\(session)\",".utf8 }
    return data
  }
}

extension Snapshot {
  /// What turns an earlier State into this one; nil where this one is shorter.
  func patch(from base: Snapshot) -> [UInt8]? {
    patch(from: base.version) {
      // The event needs this member beside those of a whole State's.
      let limit = state.count - "\"from\":\(base.version),".utf8.count
      guard limit > 2, let old = try? JSONDocument(base.state), let new = try? JSONDocument(state)
      else { return nil }
      return JSONPatch.text(from: old.root, to: new.root, limit: limit)
    }
  }
}
