import FusionHTTPMessages
import UIFusionKit

/// Values on their way from one node to another, as the body of a request.
///
/// Each has a line, and behind it the topic's name and the value's bytes, as they are: `9a1f 17 9 26` is
/// who has sent it, in hexadecimal digits, its place among all that this one has sent, and how many bytes
/// name and value have.
enum TopicBatch {
  static let mediaType = "application/x-uifusion-topics"
  static let target = RequestTarget(segments: ["topics"])

  /// How many bytes a body may have.
  static let limit = 1 << 18

  /// No line is longer.
  private static let longestLine = 64

  static func request(_ messages: [TopicMessage]) -> HTTPRequest {
    HTTPRequest(.post, target, headers: ["Content-Type": mediaType], body: bytes(of: messages))
  }

  /// At least as many bytes as the message has in a body.
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

  /// Nil where it is not what ``bytes(of:)`` writes.
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
