/// A large object's part of the document's hash tables, with open addressing.
///
/// Small objects are faster to search name by name. The hash is the standard library's seeded one, so that no
/// client can choose colliding names.
struct NameTable {
  /// The maximum number of members of an object without a table.
  static let smallCount = 16

  let first: Int
  let mask: Int

  init(first: Int, count: Int) {
    self.first = first
    // At most half full, to keep searches for absent names short.
    mask = 1 << (Int.bitWidth - (count * 2 - 1).leadingZeroBitCount) - 1
  }

  init(of node: JSONNode) {
    self.init(first: Int(node.table) - 1, count: Int(node.count))
  }

  var capacity: Int { mask + 1 }

  func slot(of hash: Int) -> Int { first + hash & mask }

  func slot(after slot: Int) -> Int { first + (slot - first + 1) & mask }

  static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    hash(UnsafeRawBufferPointer(name))
  }

  static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    bytes.withUnsafeBytes { all in
      // Guard: slicing checks the range, and the pointer does not leave this closure.
      hash(UnsafeRawBufferPointer(rebasing: all[range]))
    }
  }

  private static func hash(_ text: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    // Guard: each caller keeps the bytes alive during this call.
    hasher.combine(bytes: text)
    return hasher.finalize()
  }
}

extension JSONParser {
  /// Throws if an object has two equal names, which RFC 8259 section 4 leaves to the reader.
  mutating func checkNamesAreUnique(in object: Int) throws(JSONError) {
    let count = Int(nodes[object].count)
    if count <= NameTable.smallCount {
      try compareEachPair(in: object)
    } else {
      try fillTable(of: object, count: count)
    }
  }

  private func compareEachPair(in object: Int) throws(JSONError) {
    var later = indexAfter(object + 2)
    while later < nodes.count {
      var earlier = object + 1
      while earlier < later {
        if isSameName(earlier, later) { throw duplicate(later) }
        earlier = indexAfter(earlier + 1)
      }
      later = indexAfter(later + 1)
    }
  }

  private mutating func fillTable(of object: Int, count: Int) throws(JSONError) {
    let table = NameTable(first: tables.count, count: count)
    tables.append(contentsOf: repeatElement(0, count: table.capacity))
    nodes[object].table = UInt32(table.first + 1)
    var name = object + 1
    while name < nodes.count {
      var slot = table.slot(of: NameTable.hash(bytes, nodes[name].textRange))
      while tables[slot] != 0 {
        if isSameName(Int(tables[slot]), name) { throw duplicate(name) }
        slot = table.slot(after: slot)
      }
      tables[slot] = UInt32(name)
      name = indexAfter(name + 1)
    }
  }

  /// Returns whether two names are equal once unescaped: `"a"` is `"\u0061"` (section 8.3).
  private func isSameName(_ one: Int, _ other: Int) -> Bool {
    guard nodes[one].count == nodes[other].count else { return false }
    let (first, second) = (Int(nodes[one].link), Int(nodes[other].link))
    for position in 0..<Int(nodes[one].count)
    where bytes[first + position] != bytes[second + position] {
      return false
    }
    return true
  }

  private func indexAfter(_ index: Int) -> Int {
    switch nodes[index].kind {
    case .object, .array: Int(nodes[index].link)
    default: index + 1
    }
  }

  private func duplicate(_ name: Int) -> JSONError {
    let text = String(decoding: bytes[nodes[name].textRange], as: UTF8.self)
    return error(
      "the member name '\(text.clipped)' occurs twice in one object",
      at: Int(nodes[name].start)
    )
  }
}
