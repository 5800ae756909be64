package import FusionStrictJSON

/// How the values of a type are written in JSON.
package indirect enum Shape: Sendable, Hashable {
  /// Nothing is known, and so nothing is claimed.
  case any
  case null
  case bool
  /// Where there is a format, it is of more than the 53 bits that every reader of JSON holds.
  case integer(minimum: String, maximum: String, format: String?)
  case number
  case string
  /// A type's own form.
  case formatted(Format)
  /// One of these.
  case values([JSONTree])
  case optional(Shape)
  case array(Shape)
  /// An array in which no element comes twice.
  case set(Shape)
  /// An object with any members of such names.
  case dictionary(Shape, names: Names)
  case object([Member])
  /// A case's name, or an object with one member, which is named like a case.
  case choice([Case])
  /// A type of its own: its number among the definitions.
  case reference(Int)

  /// What a dictionary's keys are.
  package enum Names: Sendable, Hashable {
    case any
    /// One of these.
    case values([String])
    case integers(isSigned: Bool)
    case uuids
  }

  /// A member of an object, or a value of a case.
  package struct Member: Sendable, Hashable {
    package let name: String
    package let shape: Shape
    /// Read, it may be left out or null; written, it is there and may be null.
    package let isOptional: Bool
  }

  /// A case of an enum, with its values by their labels; `_0` and so on where they have none.
  package struct Case: Sendable, Hashable {
    package let name: String
    package let values: [Member]

    /// Whether `"name"` says it all.
    package var canBeBare: Bool { values.allSatisfy(\.isOptional) }

    /// The value that may stand in the place of all: `{"name":value}`.
    package var loneValue: Member? {
      guard let value = values.first(where: { $0.name == "_0" }) else { return nil }
      return values.allSatisfy { $0.isOptional || $0.name == "_0" } ? value : nil
    }
  }
}

/// A type of the user's.
struct Definition {
  let name: String
  var shape = Shape.any
  /// Whether values of it are also written as they are read.
  var isWrittenAlike = false
}
