import UIFusionKit

extension IdentifiedArray: CopyableList where Element: Encodable {
  func encodeElements(to place: Place, _ lists: ListCopier) throws -> Bool {
    try lists.write(self, to: place)
  }
}

/// A list with its text, which is kept apart.
final class EncodedPieces<Element: Identifiable>: EncodedList, @unchecked Sendable {
  // Guard: the class is immutable, and the list is part of a State, which is Sendable.
  let list: IdentifiedArray<Element>
  let text: ListText
  let depth: Int
  /// Whether the elements are surely written the same for the store.
  let isAsStored: Bool
  /// Whether the next text may have pieces of this one.
  let isCopied: Bool

  init(
    _ list: IdentifiedArray<Element>,
    _ text: ListText,
    depth: Int,
    isAsStored: Bool,
    isCopied: Bool
  ) {
    (self.list, self.text, self.depth) = (list, text, depth)
    (self.isAsStored, self.isCopied) = (isAsStored, isCopied)
  }

  var length: Int { 0 }
  var apart: ListText? { text }
}

/// A writer of the elements of one list that is kept in pieces.
///
/// A piece that the older list has, too, is the same text: only values that are shared until one of them changes are in a
/// State. Where elements came or went, the pieces are others; then elements are compared one by one, as an array's.
struct PieceWriter<Element: Encodable & Identifiable> {
  private typealias Node = SharedTree<Element>.Node

  private let place: Place
  /// The number of bytes that were copied.
  private(set) var copied = 0
  /// The number of bytes of pieces that the older list has, too.
  private(set) var shared = 0

  init(_ place: Place) {
    self.place = place
  }

  /// Returns the text of a list; nil if an element has closed it.
  mutating func write(
    _ list: IdentifiedArray<Element>,
    after old: EncodedPieces<Element>?
  ) throws -> ListText? {
    if let old, let order = list.membership, old.list.membership === order {
      return try text(of: list.tree.root, after: (old.list.tree.root, old.text))
    }
    var writer = ListWriter(list.elements, to: place)
    var oldText: [UInt8] = []
    old?.text.append(to: &oldText)
    try writer.write(copying: old?.flat, from: oldText[...], by: BitLayout.of(Element.self))
    copied += writer.copied
    guard let all = place.writer.buffer.take(from: writer.start, of: place) else { return nil }
    var next = 0
    return Self.cut(list.tree.root, all, writer.starts, &next)
  }

  private mutating func text(of node: Node, after old: (node: Node, text: ListText)?) throws
    -> ListText?
  {
    if let old, node.isShared(with: old.node) {
      shared += old.text.count
      return old.text
    }
    switch node {
    case .leaf(let elements):
      var writer = ListWriter(elements, to: place)
      try writer.write(copying: nil, from: [], by: nil)
      return place.writer.buffer.take(from: writer.start, of: place)
        .map { ListText($0, starts: writer.starts) }
    case .branch(let nodes):
      let before = old.map { Self.children($0.node, $0.text) } ?? []
      var parts: [ListText] = []
      for (index, node) in nodes.enumerated() {
        let old = index < before.count ? before[index] : nil
        guard let part = try text(of: node, after: old) else { return nil }
        parts.append(part)
      }
      return ListText(parts)
    }
  }

  private static func children(_ node: Node, _ text: ListText) -> [(node: Node, text: ListText)] {
    guard case .branch(let nodes) = node, case .branch(let parts) = text.content else { return [] }
    return zip(nodes, parts).map { (node: $0, text: $1) }
  }

  /// Cuts the text of all elements into pieces.
  private static func cut(
    _ node: Node,
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
  /// The list as one whose elements are compared one by one.
  fileprivate var flat: EncodedElements<Element> {
    var starts: [UInt32] = []
    text.appendStarts(to: &starts)
    return EncodedElements(
      list.elements,
      starts,
      length: text.count,
      depth: depth,
      isAsStored: isAsStored
    )
  }
}
