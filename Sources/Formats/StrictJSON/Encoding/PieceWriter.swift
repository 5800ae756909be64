import UIFusionKit

extension IdentifiedArray: CopyableList where Element: Encodable {
  func encodeElements(to place: Place, _ lists: ListCopier) throws -> Bool {
    try lists.write(self, to: place)
  }
}

/// A list with its separate text.
final class EncodedPieces<Element: Identifiable>: EncodedList, @unchecked Sendable {
  // Guard: the class is immutable, and the list is part of a State, which is Sendable.
  let list: IdentifiedArray<Element>
  let text: ListText
  /// Whether the next text may share pieces with this one.
  let isCopied: Bool

  init(_ list: IdentifiedArray<Element>, _ text: ListText, isCopied: Bool) {
    (self.list, self.text, self.isCopied) = (list, text, isCopied)
  }

  var length: Int { 0 }
  var apart: ListText? { text }
}

/// A writer of the elements of one list that is stored in pieces.
///
/// A piece that the older list contains keeps its text, since States share pieces until they change. In a
/// changed piece, elements are compared one by one, like an array's. If elements were added, removed or
/// moved, all are compared, since all pieces may differ.
struct PieceWriter<Element: Encodable & Identifiable> {
  private typealias Tree = SharedTree<Element>

  private let place: Place
  private let layout = BitLayout.of(Element.self)
  /// The number of bytes that were copied.
  private(set) var copied = 0
  /// The number of bytes in pieces that the older list does not contain.
  private(set) var made = 0

  init(_ place: Place) {
    self.place = place
  }

  /// Returns the text of a list; nil if an element closed the list's place.
  mutating func write(
    _ list: IdentifiedArray<Element>,
    after old: EncodedPieces<Element>?
  ) throws -> ListText? {
    let root = list.tree.root
    if let old, let order = list.membership, old.list.membership === order {
      let before = old.list.tree.root
      if Tree.changes(of: [root], from: [before]).isEmpty { return old.text }
      return try self.text(of: root, after: before, old.text, from: 0)
    }
    var bytes: [UInt8] = []
    let old = layout == nil ? nil : old
    old?.text.append(to: &bytes)
    guard let text = try piece(list.elements, from: 0, after: old?.flat, bytes),
      case .leaf(let all, let starts) = text.content
    else { return nil }
    var next = 0
    return Self.cut(root, all, starts, &next)
  }

  /// Returns the text of a node; `first` is the index of its first element in the list.
  private mutating func text(
    of node: Tree.Node,
    after old: Tree.Node,
    _ text: ListText,
    from first: Int
  ) throws -> ListText? {
    switch (node, old, text.content) {
    case (.leaf(let elements), .leaf(let others), .leaf(let bytes, let starts)):
      let old = EncodedElements(others, starts, length: bytes.count)
      return try piece(elements, from: first, after: old, bytes)
    case (.branch(let nodes), .branch(let others), .branch(var parts))
    where nodes.count == others.count && nodes.count == parts.count:
      for index in Tree.changes(of: nodes, from: others) {
        // All parts but the last have equally many elements.
        let first = first + index * parts[0].elements
        guard
          let part = try self.text(
            of: nodes[index],
            after: others[index],
            parts[index],
            from: first
          )
        else { return nil }
        parts[index] = part
      }
      return ListText(parts)
    // Unreachable, since elements in the same order have pieces of the same sizes.
    default: return try piece(Tree.elements(of: node), from: first, after: nil, [])
    }
  }

  /// Writes some elements, and returns them as one piece.
  private mutating func piece(
    _ elements: [Element],
    from index: Int,
    after old: EncodedElements<Element>?,
    _ text: [UInt8]
  ) throws -> ListText? {
    place.writer.buffer.skip(to: index, of: place)
    var writer = ListWriter(elements, to: place)
    try writer.write(copying: old, from: text[...], by: layout)
    guard let bytes = place.writer.buffer.take(from: writer.start, of: place) else { return nil }
    copied += writer.copied
    made += bytes.count
    return ListText(bytes, starts: writer.starts)
  }

  /// Cuts the text of all elements into pieces.
  private static func cut(
    _ node: Tree.Node,
    _ all: [UInt8],
    _ starts: [UInt32],
    _ next: inout Int
  ) -> ListText {
    switch node {
    case .leaf(let elements):
      let range = next..<next + elements.count
      next = range.upperBound
      guard let first = starts[range].first else { return ListText([], starts: []) }
      let end = next < starts.count ? Int(starts[next]) - 1 : all.count
      return ListText(Array(all[Int(first)..<end]), starts: starts[range].map { $0 - first })
    case .branch(let nodes): return ListText(nodes.map { cut($0, all, starts, &next) })
    }
  }
}

extension EncodedPieces {
  /// The list in a form whose elements are compared one by one.
  fileprivate var flat: EncodedElements<Element> {
    var starts: [UInt32] = []
    text.appendStarts(to: &starts)
    return EncodedElements(list.elements, starts, length: text.count)
  }
}
