import FusionSessions

/// An SQL statement with the values that are bound to it.
///
/// Each interpolated value becomes a `?`; `raw:` interpolates text of this program's own. Text without interpolation
/// costs nothing to make.
struct SQL: ExpressibleByStringInterpolation {
  enum Value {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
  }

  let text: String
  let values: [Value]

  init(_ text: String, _ values: [Value] = []) {
    self.text = text
    self.values = values
  }

  init(stringLiteral text: String) { self.init(text) }

  init(stringInterpolation: StringInterpolation) {
    self.init(stringInterpolation.text, stringInterpolation.values)
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var values: [Value] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount)
      values.reserveCapacity(interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(raw: some CustomStringConvertible) {
      text += raw.description
    }

    mutating func appendInterpolation(_ value: some SQLValue) {
      text += "?"
      values.append(value.sqlValue)
    }

    mutating func appendInterpolation(nullable text: String?) {
      self.text += "?"
      values.append(text.map { .text($0) } ?? .null)
    }
  }
}

/// A type whose values can be bound to a statement.
protocol SQLValue {
  var sqlValue: SQL.Value { get }
}

extension Int64: SQLValue {
  var sqlValue: SQL.Value { .integer(self) }
}

extension Int: SQLValue {
  var sqlValue: SQL.Value { .integer(self) }
}

extension String: SQLValue {
  var sqlValue: SQL.Value { .text(self) }
}

extension [UInt8]: SQLValue {
  var sqlValue: SQL.Value { .blob(self) }
}

/// A time is stored as milliseconds since 1970.
extension WallTime: SQLValue {
  var sqlValue: SQL.Value { .integer(milliseconds) }
}

/// An id is stored as 16 bytes, big-endian.
extension SessionID: SQLValue {
  var sqlValue: SQL.Value {
    let bits = UInt128(high) << 64 | UInt128(low)
    return .blob((0..<16).map { UInt8(truncatingIfNeeded: bits >> (120 - 8 * $0)) })
  }
}
