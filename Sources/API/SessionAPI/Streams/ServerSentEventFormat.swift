import FusionHTTPMessages
import FusionHTTPToolkit
import FusionStrictJSON

/// `text/event-stream` (WHATWG HTML §9.2), which browsers read by `EventSource`.
struct ServerSentEventFormat: StreamFormat {
  let mediaType = "text/event-stream"

  func retry(afterMilliseconds milliseconds: Int) -> [UInt8] {
    ServerSentEvent.retry(milliseconds: milliseconds)
  }

  var heartbeat: [UInt8] { ServerSentEvent.heartbeat }

  func bytes(of event: WireEvent) -> [UInt8] {
    ServerSentEvent(id: event.id, event: event.name.rawValue, data: event.data).bytes
  }

  /// Returns the schema of an event as a client gets it from its parser (§9.2.6).
  func schema(of events: [(name: String, members: JSONTree)]) -> JSONTree {
    let events = events.map { event -> JSONTree in
      [
        "type": "object",
        "properties": [
          "event": ["const": .string(event.name)], "id": ["type": "string"],
          "data": [
            "type": "string", "contentMediaType": "application/json",
            "contentSchema": OpenAPI.object(event.members),
          ],
        ],
        "required": ["event", "data"],
      ]
    }
    return ["anyOf": .array(events)]
  }
}
