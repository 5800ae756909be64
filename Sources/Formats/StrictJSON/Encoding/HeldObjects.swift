import Synchronization
import UIFusionKit

/// The types whose values may hold an object, which may change while the value stays the same.
///
/// The payloads of an enum are unknown: `IdentifiedArray` requires that they hold no mutable object.
enum HeldObjects {
  private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

  /// Returns whether a type's values may hold an object.
  static func mayBe(in type: Any.Type) -> Bool {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0[id] }) { return known }
    var search = Search()
    let found = search.finds(in: type)
    known.withLock { $0[id] = found }
    return found
  }

  private struct Search {
    /// The inspected types: a type may hold an array of itself.
    private var seen: Set<ObjectIdentifier> = []

    mutating func finds(in type: Any.Type) -> Bool {
      guard seen.insert(ObjectIdentifier(type)).inserted else { return false }
      if let type = type as? any SharedStorage.Type { return finds(inAnyOf: type.contents) }
      if type is any FixedWidthInteger.Type || type is any BinaryFloatingPoint.Type
        || type == Bool.self || EnumCases.isEnum(type)
      {
        return false
      }
      // Reflection reports a type that is unknown at run time as `()`.
      guard type != Void.self, let properties = StoredProperties(of: type) else { return true }
      // Foundation's values, such as `Data`, keep their contents in objects that they copy before changing
      // them.
      return !String(reflecting: type).hasPrefix("Foundation")
        && finds(inAnyOf: properties.all.map(\.type))
    }

    private mutating func finds(inAnyOf types: [Any.Type]) -> Bool {
      for type in types where finds(in: type) { return true }
      return false
    }
  }
}

/// A type whose values copy shared storage before they change it.
private protocol SharedStorage {
  /// The types of the values in the storage.
  static var contents: [Any.Type] { get }
}

extension String: SharedStorage {
  static var contents: [Any.Type] { [] }
}

extension Array: SharedStorage {
  static var contents: [Any.Type] { [Element.self] }
}

extension Set: SharedStorage {
  static var contents: [Any.Type] { [Element.self] }
}

extension Dictionary: SharedStorage {
  static var contents: [Any.Type] { [Key.self, Value.self] }
}

extension Optional: SharedStorage {
  static var contents: [Any.Type] { [Wrapped.self] }
}

extension IdentifiedArray: SharedStorage {
  static var contents: [Any.Type] { [Element.self] }
}
