import UIFusionKit

/// A driver of one value's encoding into an ``EncodingBuffer``.
///
/// A class, because copies of encoders and containers all write to the same text.
final class JSONWriter {
  // Guard: one thread encodes a value, and the buffer calls no code of the type, so accesses never overlap.
  @exclusivity(unchecked) var buffer: EncodingBuffer

  private let audience: Audience

  /// Whether the text so far is the same as for the store.
  @exclusivity(unchecked) var isAsStored = true

  init(
    taking bytes: inout [UInt8],
    for audience: Audience = .store,
    lists: ListCopier? = nil
  ) {
    self.audience = audience
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    buffer = EncodingBuffer(after: taken, lists: lists)
  }

  /// Gives the text back to the array from which it was taken.
  func giveBack(_ bytes: inout [UInt8]) { swap(&buffer.bytes, &bytes) }

  /// Removes the text after the first `count` bytes.
  func truncate(to count: Int) { buffer.truncate(to: count) }

  /// Writes the outermost value after the first `count` bytes, with a second pass if needed.
  func write<T: Encodable>(_ value: T, after count: Int, restart: () -> Void) throws {
    do {
      try encode(value, to: push(.root, in: nil))
      buffer.close(downTo: 0)
    } catch  where buffer.isOutOfOrder {
      // The second pass shows whether there is a real error.
    }
    if buffer.isOutOfOrder {
      restart()
      truncate(to: count)
      let whole = buffer.startSegments()
      defer { buffer.finishSegments(after: whole) }
      do {
        try encode(value, to: push(.root, in: nil))
      } catch is ClosedPlaceError {
        // The misuse below tells why the place was closed.
      }
    }
    if buffer.isMisused, let misuse = buffer.misuse { throw misuse }
  }

  /// Encodes a value at a place, according to its type's ``TypeKind``.
  func encode<T: Encodable>(_ value: T, to place: Place) throws {
    // This check also ends the recursion of a value that contains itself.
    if buffer.isMisused { throw buffer.misuse ?? ClosedPlaceError() as any Error }
    if TypeKinds.arePlain(ObjectIdentifier(T.self)) {
      return try value.encode(to: PlaceEncoder(place: place))
    }
    try encode(value, to: place, as: TypeKinds.kind(of: T.self))
  }

  private func encode<T: Encodable>(_ value: T, to place: Place, as kind: TypeKind) throws {
    let encoder = PlaceEncoder(place: place)
    switch kind {
    case .plain: break
    case .value:
      if let value = value as? any EncodableWireValue { return try value.write(to: encoder) }
    case .dictionary:
      if let dictionary = value as? any EncodableDictionary {
        return try dictionary.encodeMembers(to: place)
      }
    case .unordered:
      if let elements = value as? any UnorderedElements {
        return try elements.encodeSorted(to: place)
      }
    case .enumeration:
      let start = buffer.bytes.count
      try value.encode(to: encoder)
      return buffer.shortenCase(at: place, from: start)
    case .list:
      guard let lists = buffer.lists, let list = value as? any PiecewiseList else { break }
      if try list.encodeElements(to: place, lists) { return }
    case .storedOnly:
      switch audience {
      case .store: break
      case .clients:
        isAsStored = false
        throw MemberLeftOut()
      case .traces:
        isAsStored = false
        return try encoder.encode(hidden)
      }
    case .deriving:
      try value.encode(to: encoder)
      guard audience == .clients, let value = value as? any MemberDeriving else { return }
      isAsStored = false
      // The members of a second container at the same place join those of the first.
      return try value.derived.encode(to: encoder)
    }
    try value.encode(to: encoder)
  }

  /// Opens a place within an open container, or the outermost place.
  func push(_ label: Frame.Label, in parent: Int?, isNested: Bool = false) -> Place {
    let (index, serial) = buffer.push(label, in: parent, isNested: isNested)
    return Place(writer: self, index: index, serial: serial)
  }
}

/// An error that makes the container omit the member that is being encoded.
struct MemberLeftOut: Error, CustomStringConvertible {
  let description = "a Private value is no member that can be left out"
}

/// A ``WireValue`` that is written as one scalar.
protocol EncodableWireValue: WireValue {
  /// Writes the value.
  ///
  /// - Throws: an `EncodingError` if the value has no such form.
  func write(to place: PlaceEncoder) throws
}

/// A dictionary that is written as an object, in the order of the names' bytes.
private protocol EncodableDictionary {
  func encodeMembers(to place: Place) throws
}

extension Dictionary: EncodableDictionary where Key: Encodable, Value: Encodable {
  func encodeMembers(to place: Place) throws {
    guard let names = MemberNames<Key>() else { return try encode(to: PlaceEncoder(place: place)) }
    place.writer.buffer.open(.object, at: place)
    let object = KeyedPlaceEncoder<PathKey>(object: place)
    let members = map { (name: names.name($0.key), value: $0.value) }
    var last: String?
    for member in members.sorted(by: { $0.name.precedesByBytes($1.name) }) {
      if let last, !last.precedesByBytes(member.name) {
        let reason = "two keys both have the name '\(last)'"
        throw EncodingError.invalid(last, reason, at: place.codingPath)
      }
      try object.encode(member.value, forKey: PathKey(stringValue: member.name))
      last = member.name
    }
  }
}

extension String {
  /// Returns whether the UTF-8 precedes another text's.
  ///
  /// `<` compares the composed forms, so that two different texts may be equal.
  fileprivate func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
