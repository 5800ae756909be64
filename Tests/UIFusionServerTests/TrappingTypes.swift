// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import Foundation

/// A type that ends the process, or never comes to its end, over some text: as authors write them.
protocol Trapping: Codable, Hashable, Sendable {
  init(text: String)
}

extension Trapping {
  init(from decoder: any Decoder) throws {
    self.init(text: try decoder.singleValueContainer().decode(String.self))
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode("\(self)")
  }
}

struct Percent: Trapping {
  let number: Int
  init(text: String) {
    number = Int(text) ?? -1
    precondition((0...100).contains(number), "no percentage")
  }
}

struct Link: Trapping {
  let url: URL
  init(text: String) { url = URL(string: text)! }
}

struct Term: Trapping {
  let interval: DateInterval
  init(text: String) {
    let end = Date(timeIntervalSince1970: Double(text) ?? -1)
    interval = DateInterval(start: Date(timeIntervalSince1970: 0), end: end)
  }
}

struct Endless: Trapping {
  let depth: Int
  init(text: String) { depth = text == "\0" ? 0 : Endless(text: text).depth + 1 }
}

struct Spinning: Trapping {
  init(text: String) { while getppid() >= 0 {} }
}

struct Leaving: Trapping {
  init(text: String) { exit(text.isEmpty ? 1 : 0) }
}

/// An enum whose decoder takes only what this program writes.
enum Level: Codable, Hashable, Sendable {
  case low
  case high(Int)

  init(from decoder: any Decoder) throws {
    let text = try! decoder.singleValueContainer().decode(String.self)
    self = text == "low" ? .low : .high(Int(text)!)
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .low: try value.encode("low")
    case .high(let number): try value.encode("\(number)")
    }
  }
}

struct Shelf: Codable, Hashable, Sendable {
  /// The key of a dictionary.
  struct Code: RawRepresentable, Codable, Hashable {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
    init(from decoder: any Decoder) throws {
      rawValue = try decoder.singleValueContainer().decode(String.self)
      precondition(rawValue.count == 13, "no ISBN")
    }
  }

  var books: [Code: Int] = [:]
}

struct Sorted: Codable, Hashable, Sendable {
  /// An element that a set cannot take.
  struct Tag: Codable, Hashable, Sendable {
    var name: String
    func hash(into hasher: inout Hasher) {
      precondition(name.hasPrefix("#"))
      hasher.combine(name)
    }
  }

  var tags: Set<Tag> = []
}

struct Form: Codable, Hashable, Sendable {
  /// A property wrapper with a limit.
  @propertyWrapper
  struct Limited: Codable, Hashable, Sendable {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws {
      wrappedValue = try decoder.singleValueContainer().decode(Int.self)
      precondition(wrappedValue > 9, "too small")
    }
  }

  @Limited var size = 10
}

class Animal: Codable, @unchecked Sendable {
  let name: String
  init() { name = "Rex" }
}

final class Dog: Animal, @unchecked Sendable {
  let legs: Int
  override init() {
    legs = 4
    super.init()
  }
  required init(from decoder: any Decoder) throws {
    legs = try! decoder.container(keyedBy: CodingKeys.self).decode([Int].self, forKey: .legs)[3]
    try super.init(from: decoder)
  }
  private enum CodingKeys: CodingKey { case legs }
}

struct Owner: Codable, Equatable, Sendable {
  var dog: Dog?
  static func == (one: Owner, other: Owner) -> Bool { one.dog === other.dog }
}
