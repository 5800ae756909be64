/// An event of a `text/event-stream` (WHATWG HTML §9.2).
package struct ServerSentEvent: Sendable, Equatable {
  /// The id, short ASCII without line breaks, which a client sends back as `Last-Event-ID`.
  package var id: String?
  package var event: String
  package var data: [UInt8]

  package init(id: String? = nil, event: String, data: [UInt8]) {
    self.id = id
    self.event = event
    self.data = data
  }

  /// The encoded event; each line of the data, ended by LF, CR or CRLF, is a field of its own.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 48)
    if let id {
      bytes += "id: ".utf8
      bytes += id.utf8
      bytes.append(lineFeed)
    }
    bytes += "event: ".utf8
    bytes += event.utf8
    bytes += "\ndata: ".utf8
    if data.contains(where: { $0 == lineFeed || $0 == carriageReturn }) {
      appendLines(to: &bytes)
    } else {
      bytes += data
    }
    bytes += "\n\n".utf8
    return bytes
  }

  private func appendLines(to bytes: inout [UInt8]) {
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

  /// A comment line, which keeps an idle stream alive and detects a peer that is gone.
  package static let heartbeat: [UInt8] = Array(":\n".utf8)

  /// Returns the field that sets how long a client waits before it reconnects.
  package static func retry(milliseconds: Int) -> [UInt8] {
    Array("retry: \(milliseconds)\n\n".utf8)
  }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
