import Synchronization

/// How the values of a type are written and read.
enum TypeKind: UInt {
  /// As the type codes itself.
  case plain
  /// In a form that its own coding does not give: a ``WireValue``.
  case value
  /// As an object with the keys as names: a dictionary whose keys have some.
  case dictionary
  /// As one of its cases: an enum whose coding is the compiler's.
  case choice
  /// As the type codes itself, or by copying what was written before: an array.
  case list
}

/// The kinds of the types that were met: to ask a type costs more than to write a small value.
///
/// A type has one place where it is found at once, and a later one may take it; then it is looked up.
enum TypeKinds {
  private static let places = (0..<256).map { _ in Place() }

  private final class Place: Sendable {
    let entry = Atomic<UInt>(0)
  }

  /// Types lie 8 bytes apart at the least, so these bits of an address are free for the kind.
  private static let mask: UInt = 7

  /// All that were asked; a program has so many types and no more.
  private static let known = Mutex<[ObjectIdentifier: TypeKind]>([:])

  /// Whether the type is known to be plain, as nearly all are; false where it has to be asked.
  static func arePlain(_ type: ObjectIdentifier) -> Bool {
    places[place(of: type)].entry.load(ordering: .relaxed) == UInt(bitPattern: type)
  }

  static func kind<T>(of type: T.Type) -> TypeKind {
    let id = ObjectIdentifier(type)
    let address = UInt(bitPattern: id)
    let place = place(of: id)
    let entry = places[place].entry.load(ordering: .relaxed)
    if entry & ~mask == address, let kind = TypeKind(rawValue: entry & mask) { return kind }
    let kind = known.withLock({ $0[id] }) ?? ask(type)
    places[place].entry.store(address | kind.rawValue, ordering: .relaxed)
    return kind
  }

  private static func place(of type: ObjectIdentifier) -> Int {
    Int(bitPattern: UInt(bitPattern: type) >> 4) & (places.count - 1)
  }

  /// Outside the lock, since a type's own code may run.
  private static func ask<T>(_ type: T.Type) -> TypeKind {
    let kind = kind(byAsking: type)
    known.withLock { $0[ObjectIdentifier(type)] = kind }
    return kind
  }

  private static func kind<T>(byAsking type: T.Type) -> TypeKind {
    if type is any WireValue.Type { return .value }
    if type is any LongList.Type { return .list }
    if let type = type as? any NamedMembers.Type { return type.haveNames ? .dictionary : .plain }
    if EnumCases.isEnum(type) {
      // Of one that is not read, what it writes tells enough.
      guard let type = type as? any Decodable.Type else { return .choice }
      return CaseProbe.isReadByCases(type) ? .choice : .plain
    }
    return .plain
  }
}
