/// Lets the types of one value encode themselves into a `EncodingBuffer`.
///
/// A class, since encoders and containers are copied and all have to write to the same text. It
/// calls a type only while it is not itself changing the draft.
final class JSONWriter {
  // One value is encoded by one thread, and the draft calls nobody: no access can overlap another.
  @exclusivity(unchecked) var draft: EncodingBuffer

  init(taking bytes: inout [UInt8], lists: ListMemory? = nil) {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    draft = EncodingBuffer(after: taken, lists: lists)
  }

  func giveBack(_ bytes: inout [UInt8]) { swap(&draft.bytes, &bytes) }

  func truncate(to count: Int) { draft.truncate(to: count) }

  /// Writes the whole value behind the first `count` bytes.
  func write<T: Encodable>(_ value: T, after count: Int, restart: () -> Void) throws {
    do {
      try fill(push(.root, in: nil), with: value)
      draft.close(downTo: 0)
    } catch  where draft.isInterleaved {
      // The error is what a closed place answers; the second pass tells what really happens.
    }
    if draft.isInterleaved {
      restart()
      truncate(to: count)
      let whole = draft.startSegments()
      defer { draft.finishSegments(after: whole) }
      do {
        try fill(push(.root, in: nil), with: value)
      } catch is ClosedSlot {
        // Says less than the misuse below, which is why the place was closed in this pass too.
      }
    }
    if draft.isMisused, let misuse = draft.misuse { throw misuse }
  }

  /// Lets a value encode itself into its place; dictionaries in the order of their keys, and types that
  /// have a form of their own in that.
  func fill<T: Encodable>(_ place: Place, with value: T) throws {
    // Also what ends the recursion of a value that contains itself.
    if draft.isMisused { throw draft.misuse ?? ClosedSlot() as any Error }
    if TypeKinds.arePlain(ObjectIdentifier(T.self)) {
      return try value.encode(to: PlaceEncoder(place: place))
    }
    try fill(place, with: value, of: TypeKinds.kind(of: T.self))
  }

  private func fill<T: Encodable>(_ place: Place, with value: T, of kind: TypeKind) throws {
    let encoder = PlaceEncoder(place: place)
    switch kind {
    case .plain: break
    case .value:
      if let value = value as? any WireValue { return try value.write(to: encoder) }
    case .dictionary:
      if let members = value as? any SortedMembers { return try members.encodeMembers(to: place) }
    case .choice:
      let start = draft.bytes.count
      try value.encode(to: encoder)
      return draft.shortenCase(at: place, from: start)
    case .list:
      guard let lists = draft.lists, let list = value as? any LongList else { break }
      if try list.encodeElements(to: place, lists) { return }
    }
    try value.encode(to: encoder)
  }

  /// A new place within an open container, or the outermost one.
  func push(_ label: Frame.Label, in parent: Int?, isNested: Bool = false) -> Place {
    let (index, serial) = draft.push(label, in: parent, isNested: isNested)
    return Place(writer: self, index: index, serial: serial)
  }
}
