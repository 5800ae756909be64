/// Elements in order, in small pieces that copies share.
///
/// Changing one element of a copy replaces only the pieces on the path to it. Two copies are compared by the
/// pieces that they do not share. Both take logarithmic time.
package struct SharedTree<Element> {
  package enum Node {
    case leaf([Element])
    case branch([Node])
  }

  private static var width: Int { 16 }

  package private(set) var root: Node
  /// The number of elements beneath a child of the root; 1 if the root is a leaf.
  private let span: Int

  init(_ elements: [Element]) {
    var span = 1
    var nodes = Self.pieces(of: elements).map(Node.leaf)
    while nodes.count > 1 {
      nodes = Self.pieces(of: nodes).map(Node.branch)
      span *= Self.width
    }
    root = nodes.first ?? .leaf([])
    self.span = span
  }

  private static func pieces<Part>(of parts: [Part]) -> [[Part]] {
    stride(from: 0, to: parts.count, by: width).map {
      Array(parts[$0..<Swift.min($0 + width, parts.count)])
    }
  }

  var elements: [Element] { Self.elements(of: root) }

  /// Returns the elements beneath a node, in order.
  package static func elements(of node: Node) -> [Element] {
    var elements: [Element] = []
    append(node, to: &elements)
    return elements
  }

  private static func append(_ node: Node, to elements: inout [Element]) {
    switch node {
    case .leaf(let own): elements += own
    case .branch(let children): for child in children { append(child, to: &elements) }
    }
  }

  subscript(position: Int) -> Element {
    var (node, position, span) = (root, position, span)
    while true {
      switch node {
      case .leaf(let elements): return elements[position]
      case .branch(let children):
        node = children[position / span]
        (position, span) = (position % span, span / Self.width)
      }
    }
  }

  /// Changes an element in place.
  mutating func modify(_ position: Int, _ body: (inout Element) -> Void) {
    Self.modify(position, in: &root, span, body)
  }

  private static func modify(
    _ position: Int,
    in node: inout Node,
    _ span: Int,
    _ body: (inout Element) -> Void
  ) {
    switch node {
    case .leaf(var elements):
      // Releases the second reference, or the array would be copied even if nothing else holds it.
      node = .leaf([])
      body(&elements[position])
      node = .leaf(elements)
    case .branch(var children):
      node = .leaf([])
      modify(position % span, in: &children[position / span], span / width, body)
      node = .branch(children)
    }
  }
}

extension SharedTree {
  /// Returns the positions at which two arrays of equally many nodes differ.
  ///
  /// Nodes that a copy shares with its original are the same.
  package static func changes(of nodes: [Node], from others: [Node]) -> [Int] {
    guard MemoryLayout<Node>.stride == MemoryLayout<UInt>.stride else {
      return Array(nodes.indices)
    }
    // Guard: a node is one reference, to an array that lives as long as the node.
    return nodes.withUnsafeBytes { own in
      others.withUnsafeBytes { other in
        nodes.indices.filter { index in
          let offset = index * MemoryLayout<UInt>.stride
          return own.load(fromByteOffset: offset, as: UInt.self)
            != other.load(fromByteOffset: offset, as: UInt.self)
        }
      }
    }
  }
}

extension SharedTree.Node: Sendable where Element: Sendable {}
extension SharedTree: Sendable where Element: Sendable {}

// An array compares its buffer first, so that shared pieces compare equal at once.
extension SharedTree.Node: Equatable where Element: Equatable {}
extension SharedTree: Equatable where Element: Equatable {}
