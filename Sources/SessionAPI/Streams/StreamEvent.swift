import HTTPMessages
import JSONPatch
import Sessions
import StrictJSON

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

  var bytes: [UInt8] {
    switch self {
    case .retry: return ServerSentEvent.retry(milliseconds: 1_000)
    case .heartbeat: return ServerSentEvent.heartbeat
    case .end(let end, let session):
      let data = object(session) { $0 += "\"reason\":\"\(end.rawValue)\"".utf8 }
      return ServerSentEvent(event: "end", data: data).bytes
    case .state(let snapshot, let base, let label):
      if let base, let patch = snapshot.patch(from: base) {
        let data = object(label?.session) { bytes in
          bytes += "\"from\":\(base.version),\"version\":\(snapshot.version),\"patch\":".utf8
          bytes += patch
        }
        return ServerSentEvent(id: id(of: snapshot, label), event: "patch", data: data).bytes
      }
      // Without a label all streams send the same bytes.
      guard let label else { return snapshot.event }
      let data = object(label.session, snapshot.appendMembers)
      return ServerSentEvent(id: id(of: snapshot, label), event: "state", data: data).bytes
    }
  }

  private func id(of snapshot: Snapshot, _ label: Label?) -> String {
    label?.position ?? String(snapshot.version)
  }

  private func object(_ session: SessionID?, _ appendMembers: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = Array("{".utf8)
    if let session { bytes += "\"session\":\"\(session)\",".utf8 }
    appendMembers(&bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
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
