/// A parsed and validated JSON text.
///
/// A document is immutable, so threads may share it. It keeps its source and a flat list of nodes instead of
/// a tree; a ``JSONValue`` is an index into that list.
package final class JSONDocument: Sendable {
  /// The source, followed by the unescaped text of each string with escapes.
  let bytes: [UInt8]
  let nodes: [JSONNode]
  /// The hash tables of all large objects, one after another; see ``NameTable``.
  let tables: [UInt32]

  /// Parses one JSON text by RFC 8259.
  ///
  /// Refuses everything that the RFC leaves to the reader: duplicate names (section 4), a byte order mark
  /// (8.1), lone surrogates (8.2), nesting deeper than 64 (9).
  ///
  /// `wrapping` is the number of levels that the service itself may have put around a value: a patch holds
  /// values of a State two levels deeper.
  package init(_ bytes: [UInt8], wrapping: Int = 0) throws(JSONError) {
    var parser = JSONParser(bytes, limit: JSONParser.maximalDepth + wrapping)
    try parser.parse()
    self.bytes = parser.bytes
    self.nodes = parser.nodes
    self.tables = parser.tables
  }

  /// The outermost value.
  package var root: JSONValue { JSONValue(document: self, index: 0) }
}

extension JSONDocument {
  /// Returns the text of a string or number.
  func text(of index: Int) -> String {
    String(decoding: bytes[nodes[index].textRange], as: UTF8.self)
  }

  /// Returns the index of the node after the value at `index` and its contents.
  func indexAfter(_ index: Int) -> Int {
    switch nodes[index].kind {
    case .object, .array: Int(nodes[index].link)
    default: index + 1
    }
  }

  /// Returns the index of a member's value; names are compared byte by byte (RFC 8259 section 8.3).
  func member(_ name: String, of object: Int) -> Int? {
    var name = name
    let node = nodes[object]
    guard node.table == 0 else { return name.withUTF8 { memberByTable($0, of: node) } }
    return name.withUTF8 { member($0, of: node, at: object) }
  }

  private func member(_ name: UnsafeBufferPointer<UInt8>, of node: JSONNode, at object: Int) -> Int?
  {
    var index = object + 1
    let end = Int(node.link)
    while index < end {
      if matches(name, nodeAt: index) { return index + 1 }
      index = indexAfter(index + 1)
    }
    return nil
  }

  private func memberByTable(_ name: UnsafeBufferPointer<UInt8>, of node: JSONNode) -> Int? {
    let table = NameTable(of: node)
    var slot = table.slot(of: NameTable.hash(name))
    while tables[slot] != 0 {
      let index = Int(tables[slot])
      if matches(name, nodeAt: index) { return index + 1 }
      slot = table.slot(after: slot)
    }
    return nil
  }

  private func matches(_ name: UnsafeBufferPointer<UInt8>, nodeAt index: Int) -> Bool {
    guard name.count == Int(nodes[index].count) else { return false }
    let first = Int(nodes[index].link)
    for position in 0..<name.count where bytes[first + position] != name[position] {
      return false
    }
    return true
  }
}

/// An entry of a document's node list: a value, or a member's name in front of its value.
///
/// Nodes stand in document order, a container's own node before those of its contents. A node has
/// twenty bytes and no reference, so a small document costs one allocation and no reference counting.
struct JSONNode {
  typealias Kind = JSONValue.Kind

  var kind: Kind

  /// Whether a string is ASCII only; a Boolean's value.
  var flag: Bool

  /// The position of the first byte in the source, including a string's opening quotation mark.
  var start: UInt32

  /// The position of the contents.
  ///
  /// For strings and numbers: of the text's first byte. For containers: the index of the node after their
  /// last one; while the parser has them open, one more than the index of the enclosing one.
  var link: UInt32

  /// The length of a string's or number's text in bytes, or the number of members or elements.
  var count: UInt32

  /// The start of a large object's hash table plus one; otherwise 0.
  var table: UInt32 = 0

  var textRange: Range<Int> { Int(link)..<Int(link) + Int(count) }
}
