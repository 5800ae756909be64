/// A parsed and wholly checked JSON text, from which values are decoded any number of times.
///
/// Nothing in it changes after parsing, so it may be shared by threads. It keeps the bytes it was
/// made from; it offers cheap `JSONValue`s into itself and builds no tree.
package final class JSONDocument: Sendable {
  /// The source, followed by the unescaped texts of those strings which hold escapes.
  let bytes: [UInt8]
  let nodes: [JSONNode]
  /// The hash tables of all large objects, end to end.
  let tables: [UInt32]

  /// Parses one JSON text by RFC 8259, refusing what that leaves open: duplicate names (section 4),
  /// a byte order mark (8.1), lone surrogates (8.2), nesting deeper than 64 (9).
  package init(_ bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes)
    try parser.parse()
    self.bytes = parser.bytes
    self.nodes = parser.nodes
    self.tables = parser.tables
  }

  /// Parses a copy of the bytes, so that the buffer may go away afterwards.
  package convenience init(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    // Guard: the caller's, that the buffer lives during this call; no pointer is kept.
    try self.init(Array(bytes))
  }

  init(bytes: [UInt8], nodes: [JSONNode]) {
    self.bytes = bytes
    self.nodes = nodes
    self.tables = []
  }

  package var root: JSONValue { JSONValue(document: self, index: 0) }
}

extension JSONDocument {
  func text(of index: Int) -> String {
    String(decoding: bytes[nodes[index].textRange], as: UTF8.self)
  }

  /// The index of the node that follows the value at `index` and everything within it.
  func indexAfter(_ index: Int) -> Int {
    switch nodes[index].kind {
    case .object, .array: Int(nodes[index].link)
    default: index + 1
    }
  }

  /// The value of the object's member `name`, compared byte for byte (RFC 8259 section 8.3).
  func member(_ name: String, of object: Int) -> Int? {
    var name = name
    let node = nodes[object]
    guard node.table == 0 else { return name.withUTF8 { tabledMember($0, of: node) } }
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

  private func tabledMember(_ name: UnsafeBufferPointer<UInt8>, of node: JSONNode) -> Int? {
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
