/// A member's name or an element's index, as a step of a `codingPath`.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

extension JSONDocument {
  /// Finds the steps from one value down to another within it.
  ///
  /// Searching on demand saves the decoder from tracking its position.
  func path(from base: Int, to target: Int) -> [PathKey] {
    var path: [PathKey] = []
    var container = base
    while container != target {
      let isObject = nodes[container].kind == .object
      guard isObject || nodes[container].kind == .array else { return path }
      let count = Int(nodes[container].count)
      var value = isObject ? container + 2 : container + 1
      var position = 0
      if !isObject, Int(nodes[container].link) == container + 1 + count {
        // Elements have no nodes of their own, so the index follows by subtraction.
        (value, position) = (target, target - container - 1)
      } else {
        while position < count, indexAfter(value) <= target {
          value = indexAfter(value) + (isObject ? 1 : 0)
          position += 1
        }
      }
      guard position < count else { return path }
      path.append(
        isObject ? PathKey(stringValue: text(of: value - 1)) : PathKey(intValue: position)
      )
      container = value
    }
    return path
  }

  /// Returns the index of the value at the end of a path, or of the last existing value on the way.
  func value(at path: [any CodingKey], from base: Int) -> Int {
    var index = base
    for key in path {
      switch nodes[index].kind {
      case .object:
        guard let value = member(key.stringValue, of: index) else { return index }
        index = value
      case .array:
        guard let position = key.intValue, 0..<Int(nodes[index].count) ~= position else {
          return index
        }
        index += 1
        for _ in 0..<position { index = indexAfter(index) }
      default: return index
      }
    }
    return index
  }
}
