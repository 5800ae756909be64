import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStrictJSON

/// A media type of streams, and the encoding of their events.
///
/// To add a format, add a type to this folder and to ``StreamFormats/all``. The bytes of a State are created
/// once for each *type* of format and sent on all of its streams, so all values of one type must give the
/// same bytes.
///
/// `?format=patch` does not select a format: it allows patches in any format
/// (``StreamSubscription/isPatching``).
protocol StreamFormat: Sendable {
  /// The value of `Content-Type`, by which `Accept` asks for the format.
  var mediaType: String { get }
  /// Returns the bytes that tell a client when to reconnect, which the next event completes; empty if the format has
  /// none.
  func retry(afterMilliseconds: Int) -> [UInt8]
  /// The bytes of a heartbeat.
  var heartbeat: [UInt8] { get }
  /// Returns an event's bytes, with its data unchanged; only line ends may follow the data.
  func bytes(of event: WireEvent) -> [UInt8]
  /// Returns the JSON Schema of an event whose data is an object with the members of one of the shapes.
  func schema(of events: [EventShape]) -> JSONTree
}

extension StreamFormat {
  /// Returns the bytes of a stream without events, which tell a client when to reconnect.
  func onlyRetry(afterMilliseconds milliseconds: Int) -> [UInt8] {
    let retry = retry(afterMilliseconds: milliseconds)
    return retry.isEmpty ? [] : retry + [lineFeed]
  }
}

/// The members of an event's data, each with its schema.
struct EventShape {
  let name: WireEvent.Name
  let members: JSONTree
  /// The optional members.
  var optional: JSONTree = [:]
}

/// An event in the form that all formats share.
struct WireEvent {
  enum Name: String {
    case state, patch, end
    /// The events of a trace.
    case session, input, action, error, effect, alarm, message, followed, dropped
  }

  let name: Name
  /// The id by which a client resumes: the version, or an opaque text for several sessions; nil at the end.
  let id: String?
  /// Whether the id is opaque rather than the version, which is also in the data.
  let isIDOpaque: Bool
  /// A JSON object with members.
  let data: [UInt8]
}

enum StreamFormats {
  /// All formats, the default first.
  static let all: [any StreamFormat] = [ServerSentEventFormat(), JSONLinesFormat()]

  /// Returns the format that a client prefers; the default if the client accepts none.
  static func preferred(by accept: Accept) -> any StreamFormat {
    var best: any StreamFormat = all[0]
    for format in all.dropFirst()
    where accept.quality(of: format.mediaType) > accept.quality(of: best.mediaType) {
      best = format
    }
    return best
  }
}

/// `text/event-stream` (WHATWG HTML §9.2), which browsers read by `EventSource`.
struct ServerSentEventFormat: StreamFormat {
  let mediaType = "text/event-stream"

  /// Returns a field of the first event: some clients take one of its own for an event without data.
  func retry(afterMilliseconds milliseconds: Int) -> [UInt8] {
    Array("retry: \(milliseconds)\n".utf8)
  }

  /// A comment line.
  let heartbeat = Array(":\n".utf8)

  /// Returns the event; each line of the data, ended by LF, CR or CRLF, becomes a field of its own.
  func bytes(of event: WireEvent) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(event.data.count + 48)
    if let id = event.id {
      bytes += "id: ".utf8
      bytes += id.utf8
      bytes.append(lineFeed)
    }
    bytes += "event: ".utf8
    bytes += event.name.rawValue.utf8
    bytes += "\ndata: ".utf8
    if event.data.contains(where: { $0 == lineFeed || $0 == carriageReturn }) {
      append(linesOf: event.data, to: &bytes)
    } else {
      bytes += event.data
    }
    bytes += "\n\n".utf8
    return bytes
  }

  private func append(linesOf data: [UInt8], to bytes: inout [UInt8]) {
    var previous: UInt8 = 0
    for byte in data {
      switch byte {
      case lineFeed where previous == carriageReturn: break
      case lineFeed, carriageReturn: bytes += "\ndata: ".utf8
      default: bytes.append(byte)
      }
      previous = byte
    }
  }

  /// Returns the schema of an event as a client gets it from its parser (§9.2.6).
  func schema(of events: [EventShape]) -> JSONTree {
    let events = events.map { event -> JSONTree in
      [
        "type": "object",
        "properties": [
          "event": ["const": .string(event.name.rawValue)], "id": ["type": "string"],
          "data": [
            "type": "string", "contentMediaType": "application/json",
            "contentSchema": OpenAPI.object(event.members, optional: event.optional),
          ],
        ],
        "required": ["event", "data"],
      ]
    }
    return ["anyOf": .array(events)]
  }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

/// `application/x-ndjson`: each event is one JSON object on a line of its own, for `curl … | jq`.
struct JSONLinesFormat: StreamFormat {
  let mediaType = "application/x-ndjson"

  /// Returns nothing: clients of this format do not reconnect automatically.
  func retry(afterMilliseconds: Int) -> [UInt8] { [] }

  /// An empty line.
  let heartbeat = [UInt8(ascii: "\n")]

  /// Returns one line; it has an id only if that differs from the version, which is in the data.
  func bytes(of event: WireEvent) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(event.data.count + 48)
    line += "{\"event\":\"".utf8
    line += event.name.rawValue.utf8
    line += "\",".utf8
    if event.isIDOpaque, let id = event.id {
      line += "\"id\":".utf8
      line.appendLiteral(id)
      line.append(UInt8(ascii: ","))
    }
    let start = line.count
    line += event.data.dropFirst()
    // In JSON, line ends occur only between values, where a space is equivalent (RFC 8259 §2, §7).
    for index in start..<line.count where line[index] == 0x0A || line[index] == 0x0D {
      line[index] = UInt8(ascii: " ")
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  func schema(of events: [EventShape]) -> JSONTree {
    let events = events.map { event in
      let start: JSONTree = ["event": ["const": .string(event.name.rawValue)]]
      return OpenAPI.object(start.adding(event.members), optional: event.optional)
    }
    return ["anyOf": .array(events)]
  }
}
