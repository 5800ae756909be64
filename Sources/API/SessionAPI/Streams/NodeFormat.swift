import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

/// How a session is followed by another node: a line for each thing, and behind that of a State its bytes.
///
/// `state 7 9a1f 42`: version, what stands for its Pulses, and how many bytes follow, with a newline behind
/// them. `end deleted` is the last one; an empty line is a heartbeat.
struct NodeFormat: StreamFormat {
  let mediaType = "application/x-uifusion-feed"

  let isForNodes = true

  let heartbeat = [UInt8(ascii: "\n")]

  func retry(afterMilliseconds: Int) -> [UInt8] { [] }

  func bytes(of snapshot: Snapshot) -> [UInt8]? {
    let pulses = String(snapshot.pulses, radix: 16)
    var bytes = Array("state \(snapshot.version) \(pulses) \(snapshot.state.count)\n".utf8)
    bytes.reserveCapacity(bytes.count + snapshot.state.count + 1)
    bytes += snapshot.state
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Writes an event that is no State; the end is the only one.
  func bytes(of event: WireEvent) -> [UInt8] {
    let isExpired = event.data.contains(Array(SessionEnd.expired.rawValue.utf8))
    let end = isExpired ? SessionEnd.expired : .deleted
    return Array("end \(end.rawValue)\n".utf8)
  }

  func schema(of events: [(name: String, members: JSONTree)]) -> JSONTree { [:] }
}
