import Synchronization
import UIFusionKit

/// The way in which the values of a type are encoded and decoded.
enum TypeKind: UInt {
  /// The type's own coding.
  case plain
  /// A form other than the type's own coding, a ``WireValue``, or one that is checked, a ``CheckedForm``.
  case value
  /// An object of members: a dictionary whose keys are names.
  case dictionary
  /// The shorthands for cases: an enum with synthesized coding.
  case enumeration
  /// The type's own coding, or pieces that may come from an earlier text: an `IdentifiedArray`.
  case list
  /// The type's own coding, for the store only.
  case storedOnly
  /// The type's own coding, with derived members for clients.
  case deriving
  /// The type's own coding, with sorted elements: a ``UnorderedElements`` collection.
  case unordered
}

/// A cache of type kinds, since finding a kind costs more than writing a small value.
///
/// A type hashes to one slot, which is read without a lock. If a later type took the slot, the kind comes
/// from the locked dictionary.
enum TypeKinds {
  private static let slots = (0..<256).map { _ in Slot() }

  private final class Slot: Sendable {
    let entry = Atomic<UInt>(0)
  }

  /// The bits of an entry that hold the kind, free because metadata is aligned to eight bytes.
  private static let mask: UInt = 7

  /// The kinds of all types met so far; bounded by the number of types in a program.
  private static let known = Mutex<[ObjectIdentifier: TypeKind]>([:])

  /// Returns whether the cache knows the type as plain; if not, call ``kind(of:)``.
  static func arePlain(_ type: ObjectIdentifier) -> Bool {
    slots[slot(of: type)].entry.load(ordering: .relaxed) == UInt(bitPattern: type)
  }

  static func kind<T>(of type: T.Type) -> TypeKind {
    let id = ObjectIdentifier(type)
    let address = UInt(bitPattern: id)
    let slot = slot(of: id)
    let entry = slots[slot].entry.load(ordering: .relaxed)
    if entry & ~mask == address, let kind = TypeKind(rawValue: entry & mask) { return kind }
    let kind = known.withLock({ $0[id] }) ?? find(type)
    slots[slot].entry.store(address | kind.rawValue, ordering: .relaxed)
    return kind
  }

  private static func slot(of type: ObjectIdentifier) -> Int {
    Int(bitPattern: UInt(bitPattern: type) >> 4) & (slots.count - 1)
  }

  private static func find<T>(_ type: T.Type) -> TypeKind {
    // Outside the lock, since a type's own code may run.
    let kind = inspect(type)
    known.withLock { $0[ObjectIdentifier(type)] = kind }
    return kind
  }

  private static func inspect<T>(_ type: T.Type) -> TypeKind {
    if type is any WireValue.Type || CheckedForm(of: type) != nil { return .value }
    if type is any StoredOnly.Type { return .storedOnly }
    if type is any IdentifiedElements.Type { return .list }
    if let type = type as? any NamedMembers.Type {
      return type.haveNames ? .dictionary : .unordered
    }
    if type is any AnySet.Type { return .unordered }
    if EnumCases.isEnum(type) {
      // An enum that cannot be decoded is judged by its output.
      guard let type = type as? any Decodable.Type else { return .enumeration }
      return CaseProbe.isReadByCases(type) ? .enumeration : .plain
    }
    return type is any MemberDeriving.Type ? .deriving : .plain
  }
}

/// A type whose values are written in JSON as one text or number, instead of by its own coding.
///
/// Recognized by its static type: a value that a type encodes directly (`try date.encode(to: encoder)`) is
/// encoded and decoded by its own coding.
protocol WireValue: Codable {
  /// A description of the expected form, to follow "expected".
  static var expected: String { get }

  /// The kind of node in which earlier versions stored such values; nil if none did.
  static var storedKind: JSONNode.Kind? { get }
}

/// An `IdentifiedArray` of any elements.
private protocol IdentifiedElements {}

extension IdentifiedArray: IdentifiedElements {}

/// A set of any elements.
private protocol AnySet {}

extension Set: AnySet {}
