/// Whether two values are the same JSON.
///
/// Members may stand in any order (RFC 8259 section 1). Numbers are compared by their text, so that
/// nothing is lost to rounding: `1` and `1.0` differ.
extension JSONValue: Equatable {
  package static func == (one: JSONValue, other: JSONValue) -> Bool {
    equal(one.document, one.index, other.document, other.index)
  }
}

private func equal(_ a: JSONDocument, _ i: Int, _ b: JSONDocument, _ j: Int) -> Bool {
  let one = a.nodes[i]
  let other = b.nodes[j]
  guard one.kind == other.kind else { return false }
  switch one.kind {
  case .null: return true
  case .bool: return one.flag == other.flag
  case .string, .number: return haveSameText(a, one, b, other)
  case .array: return one.count == other.count && haveEqualElements(a, i, b, j)
  case .object: return one.count == other.count && haveEqualMembers(a, i, b, j)
  }
}

private func haveSameText(
  _ a: JSONDocument,
  _ one: JSONNode,
  _ b: JSONDocument,
  _ other: JSONNode
) -> Bool {
  guard one.count == other.count else { return false }
  let (first, second) = (Int(one.link), Int(other.link))
  for place in 0..<Int(one.count) where a.bytes[first + place] != b.bytes[second + place] {
    return false
  }
  return true
}

private func haveEqualElements(_ a: JSONDocument, _ i: Int, _ b: JSONDocument, _ j: Int) -> Bool {
  var (x, y) = (i + 1, j + 1)
  for _ in 0..<a.nodes[i].count {
    guard equal(a, x, b, y) else { return false }
    (x, y) = (a.indexAfter(x), b.indexAfter(y))
  }
  return true
}

/// Goes through both at once as long as their names come in the same order, as they mostly do.
private func haveEqualMembers(_ a: JSONDocument, _ i: Int, _ b: JSONDocument, _ j: Int) -> Bool {
  var (x, y) = (i + 1, j + 1)
  var isSameOrder = true
  for _ in 0..<a.nodes[i].count {
    isSameOrder = isSameOrder && haveSameText(a, a.nodes[x], b, b.nodes[y])
    if isSameOrder {
      guard equal(a, x + 1, b, y + 1) else { return false }
      y = b.indexAfter(y + 1)
    } else {
      guard let found = b.member(a.text(of: x), of: j), equal(a, x + 1, b, found) else {
        return false
      }
    }
    x = a.indexAfter(x + 1)
  }
  return true
}
