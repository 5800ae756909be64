/// A named channel for values of one type, on which sessions publish and subscribe.
///
/// ```swift
/// static let kitchen = Topic<ChatMessage>("room/kitchen")
/// let room = try Topic<ChatMessage>("room/\(parameters.room)")
/// ```
///
/// A name has 1 to 256 bytes of UTF-8, by which names are compared, and means the same in the whole service. A name belongs to one
/// type: a subscriber with another type receives nothing.
public struct Topic<Value: Codable & Sendable>: Hashable, Sendable {
  /// The name that the sessions agree on.
  public let name: String

  /// Creates a topic with a name made at run time.
  ///
  /// - Throws: ``InvalidTopicName`` if the name is empty or too long.
  public init(_ name: String) throws(InvalidTopicName) {
    guard InvalidTopicName.lengths.contains(name.utf8.count) else {
      throw InvalidTopicName(length: name.utf8.count)
    }
    self.name = name
  }
}

extension Topic: ExpressibleByStringLiteral {
  /// Creates a topic with a name from the source code; traps if the name is empty or too long.
  public init(stringLiteral name: String) {
    precondition(
      InvalidTopicName.lengths.contains(name.utf8.count),
      InvalidTopicName(length: name.utf8.count).description
    )
    self.name = name
  }
}

extension Topic {
  /// Returns whether two topics have the same name, byte by byte.
  public static func == (a: Topic, b: Topic) -> Bool { a.name.hasSameBytes(as: b.name) }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(ByteString(name)) }
}

extension Topic: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

/// The error for a topic name that is empty or too long.
public struct InvalidTopicName: Error, Equatable, CustomStringConvertible {
  static let lengths = 1...256

  /// The length of the name in bytes of UTF-8.
  public let length: Int

  /// The actual length and the allowed one.
  public var description: String {
    "a topic's name has 1 to 256 bytes of UTF-8, and this one has \(length)"
  }
}
