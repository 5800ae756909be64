import Foundation
import FusionStrictJSON

/// The seeds of random tests; `UIFUSION_RANDOM_SEEDS` says how many.
let randomSeeds =
  0..<(ProcessInfo.processInfo.environment["UIFUSION_RANDOM_SEEDS"].flatMap { Int($0) } ?? 2)

/// An Input with every shape of case that Codable synthesises.
enum Sample: Codable, Equatable {
  case increase
  case setDuration(Int)
  case labelled(title: String)
  case several(title: String, done: Bool)
  case optional(String?)
  case two(Int, b: Int)
  case item(Item)
  case tags([String])
  case color(Color)
  case table([String: Int])
}

struct Item: Codable, Equatable {
  var id: String
  var count: Int?
}

enum Color: String, Codable { case red, green }

struct Snapshot: Codable, Equatable {
  struct State: Codable, Equatable {
    var value: Int
    var isReset: Bool
  }
  var version: Int
  var state: State
}

struct Todos: Codable, Equatable {
  struct Todo: Codable, Equatable {
    var id: Int
    var title: String
  }
  var todos: [Todo]
}

/// Any JSON value, read and written by trying one shape after another.
enum AnyJSON: Codable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([AnyJSON])
  case object([String: AnyJSON])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([AnyJSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: AnyJSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .string(let string): try value.encode(string)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }
}

func decode<T: Decodable>(_ type: T.Type, _ text: String) throws(JSONError) -> T {
  try StrictJSON.decode(type, from: Array(text.utf8))
}

func decodeInput<T: Decodable>(_ type: T.Type, _ text: String) throws(JSONError) -> T {
  try JSONDocument(Array(text.utf8)).root.decodeInput(type)
}

func encoded<T: Encodable>(_ value: T) throws -> String {
  String(decoding: try StrictJSON.encode(value), as: UTF8.self)
}

/// Returns the error of a call that has to fail.
func failure<T>(_ body: () throws(JSONError) -> T) -> JSONError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
