import UIFusionKit

/// A list that is written in pieces.
protocol PiecewiseList {
  /// Writes the elements; returns false if the list must write itself.
  func encodeElements(to place: Place, _ lists: ListCopier) throws -> Bool
}

extension IdentifiedArray: PiecewiseList where Element: Encodable {
  func encodeElements(to place: Place, _ lists: ListCopier) throws -> Bool {
    try lists.write(self, to: place)
  }
}

/// A list with its separate text.
protocol EncodedList: AnyObject, Sendable {
  var text: ListText { get }
}

final class EncodedPieces<Element: Identifiable>: EncodedList, @unchecked Sendable {
  // Guard: the class is immutable, and the list is part of a State, which is Sendable.
  let list: IdentifiedArray<Element>
  let text: ListText
  /// Whether the next text may share pieces with this one.
  let isCopied: Bool

  init(_ list: IdentifiedArray<Element>, _ text: ListText, isCopied: Bool) {
    (self.list, self.text, self.isCopied) = (list, text, isCopied)
  }
}

/// A writer of the elements of one list that is stored in pieces.
///
/// A piece that the older list has at the same position keeps its text, since States share pieces until they
/// change.
struct PieceWriter<Element: Encodable & Identifiable> {
  private typealias Tree = SharedTree<Element>

  private let place: Place
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
    try text(of: list.tree.root, after: old.map { ($0.list.tree.root, $0.text) }, from: 0)
  }

  /// Returns the text of a node, whose first element has the index `first` in the list.
  ///
  /// `old` is the node at the same position of the older list, with its text.
  private mutating func text(
    of node: Tree.Node,
    after old: (node: Tree.Node, text: ListText)?,
    from first: Int
  ) throws -> ListText? {
    if let old, Tree.changes(of: [node], from: [old.node]).isEmpty { return old.text }
    switch node {
    case .leaf(let elements): return try piece(elements, from: first)
    case .branch(let nodes):
      var (others, texts): ([Tree.Node], [ListText]) = ([], [])
      if case .branch(let nodes)? = old?.node, case .branch(let parts)? = old?.text.content {
        (others, texts) = (nodes, parts)
      }
      var parts: [ListText] = []
      var next = first
      for (index, node) in nodes.enumerated() {
        let old = others.indices.contains(index) ? (others[index], texts[index]) : nil
        guard let part = try text(of: node, after: old, from: next) else { return nil }
        parts.append(part)
        next += part.elements
      }
      return ListText(parts)
    }
  }

  /// Writes some elements, and returns them as one piece; nil if an element closed the list's place.
  private mutating func piece(_ elements: [Element], from index: Int) throws -> ListText? {
    place.writer.buffer.skip(to: index, of: place)
    let array = UnkeyedPlaceEncoder(array: place)
    let start = place.writer.buffer.nextElement(of: place)
    var starts: [UInt32] = []
    starts.reserveCapacity(elements.count)
    for element in elements {
      let next = place.writer.buffer.nextElement(of: place)
      starts.append(UInt32(truncatingIfNeeded: next - start))
      try array.encode(element)
    }
    guard let bytes = place.writer.buffer.take(from: start, of: place) else { return nil }
    made += bytes.count
    return ListText(bytes, starts: starts)
  }
}
