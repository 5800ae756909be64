import FusionHTTPMessages
import UIFusionKit

/// Values on their way from one node to another, as the body of a request.
///
/// Each has a line, and behind it the topic's name and the value's bytes: `9a1f 17 9 26` is the sender in hexadecimal
/// digits, the value's number among those of this sender, and the sizes of name and value.
enum TopicBatch {
  static let mediaType = "application/x-uifusion-topics"
  static let target = RequestTarget(segments: ["topics"])

  /// The largest body, in bytes.
  static let limit = 1 << 18

  /// The length that no line exceeds.
  private static let longestLine = 64

  static func request(_ messages: [TopicMessage]) -> HTTPRequest {
    HTTPRequest(.post, target, headers: ["Content-Type": mediaType], body: bytes(of: messages))
  }

  /// Returns an upper limit for the bytes of a message in a body.
  static func size(of message: TopicMessage) -> Int {
    longestLine + message.topic.utf8.count + message.bytes.count
  }

  static func bytes(of messages: [TopicMessage]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(messages.reduce(0) { $0 + size(of: $1) })
    for message in messages {
      let sender = String(message.sender, radix: 16)
      let sizes = "\(message.topic.utf8.count) \(message.bytes.count)"
      bytes += "\(sender) \(message.sequence) \(sizes)\n".utf8
      bytes += message.topic.utf8
      bytes += message.bytes
    }
    return bytes
  }

  /// Reads a body; returns nil for anything that ``bytes(of:)`` does not write.
  static func messages(of body: [UInt8]) -> [TopicMessage]? {
    var messages: [TopicMessage] = []
    var rest = body[...]
    while !rest.isEmpty {
      guard let end = rest.prefix(longestLine).firstIndex(of: UInt8(ascii: "\n")) else {
        return nil
      }
      let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      rest = rest[(end + 1)...]
      guard words.count == 4, let sender = UInt64(words[0], radix: 16),
        let sequence = UInt64(words[1]), let name = Int(words[2]), let value = Int(words[3]),
        1...256 ~= name, value >= 0, value <= rest.count - name,
        let topic = String(validating: rest.prefix(name), as: UTF8.self)
      else { return nil }
      let bytes = Array(rest.dropFirst(name).prefix(value))
      messages.append(
        TopicMessage(topic: topic, sender: sender, sequence: sequence, bytes: bytes)
      )
      rest = rest.dropFirst(name + value)
    }
    return messages
  }
}
