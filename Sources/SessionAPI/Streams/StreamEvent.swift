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
    case .retry: return BodyChunk(format.retry(afterMilliseconds: Self.retryMilliseconds))
    case .heartbeat: return BodyChunk(format.heartbeat)
    case .end(let end, let session):
      return event(.end, nil, session, in: format) { $0 += "\"reason\":\"\(end.rawValue)\"".utf8 }
    case .state(let snapshot, let base, let label):
      if let base, let patch = snapshot.patch(from: base) {
        return event(.patch, (snapshot, label), label?.session, in: format) { bytes in
          bytes += "\"from\":\(base.version),\"version\":\(snapshot.version),\"patch\":".utf8
          bytes += patch
        }
      }
      let whole = { (snapshot: Snapshot) in
        event(.state, (snapshot, label), label?.session, in: format, snapshot.appendMembers)
      }
      guard label == nil else { return whole(snapshot) }
      // Without a label all streams of one format send the same bytes.
      let form = ObjectIdentifier(type(of: format))
      return BodyChunk(framed: snapshot.bytes(in: form) { whole($0).bytes })
    }
  }

  private func event(
    _ name: WireEvent.Name,
    _ position: (snapshot: Snapshot, label: Label?)?,
    _ session: SessionID?,
    in format: some StreamFormat,
    _ appendMembers: (inout [UInt8]) -> Void
  ) -> BodyChunk {
    var data: [UInt8] = []
    data.reserveCapacity((position?.snapshot.state.count ?? 0) + 64)
    data.append(UInt8(ascii: "{"))
    if let session { data += "\"session\":\"\(session)\",".utf8 }
    appendMembers(&data)
    data.append(UInt8(ascii: "}"))
    let id = position.map { $0.label?.position ?? String($0.snapshot.version) }
    return BodyChunk(
      format.bytes(of: WireEvent(name: name, id: id, isIDOpaque: session != nil, data: data))
    )
  }
}

extension Snapshot {
  /// What turns an earlier State into this one; nil where this one is shorter.
  fileprivate func patch(from base: Snapshot) -> [UInt8]? {
    patch(from: base.version) {
      // The event needs this member beside those of a whole State's.
      let limit = state.count - "\"from\":\(base.version),".utf8.count
      guard limit > 2, let old = try? JSONDocument(base.state), let new = try? JSONDocument(state)
      else { return nil }
      return JSONPatch.text(from: old.root, to: new.root, limit: limit)
    }
  }
}
