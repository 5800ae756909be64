import UIFusionKit

/// An Input with every form of case.
enum Everything: Codable, Equatable, Sendable {
  case title(String)
  case clear
  case size(width: Double, height: Double?)
  case tag(Note)
  case two(Int, b: UInt8)
  case wish(String?)
  case shape(Tree)
  case secret(Secret<String>)
}

struct Note: Codable, Hashable, Sendable {
  enum CodingKeys: String, CodingKey {
    case text = "body"
    case stars
  }
  var text: String
  var stars: Int?
}

indirect enum Tree: Codable, Equatable, Sendable {
  case node(Tree, Tree)
  case leaf(Int)
}

struct Folder: Codable, Equatable, Sendable {
  var name: String
  var folders: [Folder]
  var parent: Parent?
}

struct Parent: Codable, Equatable, Sendable { var folder: [Folder] }

enum Filter: String, Codable, Sendable { case all, active = "open", completed }
enum Level: Int, Codable, CaseIterable, Sendable { case low = 1, high = 10 }
enum Single: String, Codable, Sendable { case only }

struct Identifier: RawRepresentable, Codable, Hashable, Sendable { var rawValue: String }

struct EverythingState: Codable, Equatable, Sendable {
  @Pulse var message: String?
  @Pulse var event: Never? = nil
  @Secret var password = ""
  @Redacted var email = ""
  var filter: Filter
  var level: Level
  var ids: Set<Identifier>
  var ticks: [String: Int]
  var root: Folder?
  var small: Int8
  var isOn: Bool
  var anything: Stubborn
}

/// Decodes itself from a number or a string.
struct Stubborn: Codable, Equatable, Sendable {
  var number: Int
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self.number = number
    } else {
      number = try container.decode(String.self).count
    }
  }
}

/// Decodes itself like synthesised code, unless a member is invalid.
struct Lenient: Codable, Equatable {
  var count: Int
  enum CodingKeys: CodingKey { case count }
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    count = (try? container.decode(Int.self, forKey: .count)) ?? 0
  }
}

/// A type whose requests depend on earlier answers.
struct Figure: Codable, Equatable {
  enum Kind: String, Codable { case dot, circle }
  enum CodingKeys: CodingKey { case kind, radius }
  var kind: Kind
  var radius: Double
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(Kind.self, forKey: .kind)
    radius = kind == .dot ? 0 : try container.decode(Double.self, forKey: .radius)
  }
}

/// Requests all members, one of them as different types.
struct Moody: Codable {
  enum CodingKeys: CodingKey { case isText, value }
  var isText: Bool
  var value = ""
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    isText = try container.decode(Bool.self, forKey: .isText)
    value =
      isText
      ? try container.decode(String.self, forKey: .value)
      : "\(try container.decode(Int.self, forKey: .value))"
  }
}

/// A class that leaves some members to its superclass.
final class Derived: Base {
  enum CodingKeys: CodingKey { case more }
  let more: Int
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    more = try container.decode(Int.self, forKey: .more)
    try super.init(from: container.superDecoder())
  }
}

class Base: Codable {
  var count = 0
}

/// Decodes itself like synthesised code, but encodes itself in another way.
struct Upside: Codable, Equatable {
  var up: Int
  enum CodingKeys: CodingKey { case up }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(up)
  }
}

/// Encodes a large value in another way than a small one.
struct Grown: Codable, Equatable {
  var size: Int
  enum CodingKeys: CodingKey { case size }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if size > 100 {
      try container.encode("large", forKey: .size)
    } else {
      try container.encode(size, forKey: .size)
    }
  }
}

/// An enum that encodes itself as an object with a member for its case.
enum Tagged: Codable, Equatable {
  case dot, circle(Double)
  enum CodingKeys: CodingKey { case kind, radius }
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let radius = try container.decode(Double.self, forKey: .radius)
    let kind = try container.decode(String.self, forKey: .kind)
    self = kind == "dot" ? .dot : .circle(radius)
  }
  func encode(to encoder: any Encoder) throws {}
}

/// A type nested without end, with a new type at each level.
struct Endless<T: Codable>: Codable {
  var value: T
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    _ = try container.decode(Endless<[T]>?.self)
    value = try container.decode(T.self)
  }
}

final class Reference: Codable { var count = 0 }

struct Unreadable: Encodable { var count = 0 }

struct Nothing: Codable {}

/// Decodes elements until one is refused.
struct Greedy: Codable {
  var all: [Int] = []
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while let number = try? container.decode(Int.self) { all.append(number) }
  }
}

enum Place: String, Codable, CodingKeyRepresentable, Sendable { case here, there }
