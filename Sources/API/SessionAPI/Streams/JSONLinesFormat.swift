import FusionHTTPToolkit
import FusionStrictJSON

/// `application/x-ndjson`: each event is one JSON object on a line of its own, for `curl … | jq`.
struct JSONLinesFormat: StreamFormat {
  let mediaType = "application/x-ndjson"

  /// Returns nothing: clients of this format do not reconnect by themselves.
  func retry(afterMilliseconds: Int) -> [UInt8] { [] }

  /// An empty line.
  let heartbeat = [UInt8(ascii: "\n")]

  /// Returns one line; with an id only where that is not the version, which the data has.
  func bytes(of event: WireEvent) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(event.data.count + 48)
    line += "{\"event\":\"".utf8
    line += event.name.rawValue.utf8
    line += "\",".utf8
    if event.isIDOpaque, let id = event.id {
      line += "\"id\":".utf8
      StrictJSON.append(id, to: &line)
      line.append(UInt8(ascii: ","))
    }
    let start = line.count
    line += event.data.dropFirst()
    // In JSON a line may end only between values, where a space says the same (RFC 8259 §2, §7).
    for index in start..<line.count where line[index] == 0x0A || line[index] == 0x0D {
      line[index] = UInt8(ascii: " ")
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }

  func schema(of events: [(name: String, members: JSONTree)]) -> JSONTree {
    let events = events.map { event in
      OpenAPI.object(
        JSONTree.object([]).adding(["event": ["const": .string(event.name)]]).adding(event.members)
      )
    }
    return ["anyOf": .array(events)]
  }
}
