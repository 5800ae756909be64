import Synchronization

/// How the values of a type are written and read.
enum TypeKind: UInt {
  /// As the type codes itself.
  case plain
  /// In a form that its own coding does not give: a ``WireValue``.
  case value
  /// As an object with the keys as names: a dictionary whose keys have some.
  case dictionary
}

/// The kinds of the types that were met: to ask a type costs more than to write a small value.
///
/// A type has one place, and a later one may take it: it is then asked again.
enum TypeKinds {
  private static let count = 256
  private static let places = (0..<count).map { _ in Place() }
  /// Types lie 8 bytes apart at the least, so these bits of an address are free for the kind.
  private static let mask: UInt = 7

  private final class Place: Sendable {
    let entry = Atomic<UInt>(0)
  }

  static func kind<T>(of type: T.Type) -> TypeKind {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let place = places[Int(bitPattern: address >> 4) & (count - 1)]
    let entry = place.entry.load(ordering: .relaxed)
    if entry & ~mask == address, let kind = TypeKind(rawValue: entry & mask) { return kind }
    let kind = ask(type)
    place.entry.store(address | kind.rawValue, ordering: .relaxed)
    return kind
  }

  private static func ask<T>(_ type: T.Type) -> TypeKind {
    if type is any WireValue.Type { return .value }
    if let type = type as? any NamedMembers.Type { return type.haveNames ? .dictionary : .plain }
    return .plain
  }
}
