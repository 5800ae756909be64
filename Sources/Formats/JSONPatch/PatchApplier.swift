package import FusionStrictJSON

extension JSONPatch {
  /// Applies a patch to a value and returns the text of the result.
  ///
  /// An added member becomes the last one. Supports only `add`, `remove` and `replace`.
  ///
  /// - Throws: a ``Mismatch`` if an operation does not fit the value.
  package static func apply(
    _ patch: JSONValue,
    to value: JSONValue
  ) throws(Mismatch) -> [UInt8] {
    try apply(patch, to: value, within: Window())
  }

  /// A part of a value, as the target of a patch to the whole value.
  struct Window {
    /// The number of steps from the whole value to the container of the window.
    var depth = 0
    /// The index in that container of the window's first element.
    var first = 0
  }

  static func apply(
    _ patch: JSONValue,
    to value: JSONValue,
    within window: Window
  ) throws(Mismatch) -> [UInt8] {
    var tree = JSONTree(value)
    for operation in patch.elements {
      guard let name = operation["op"]?.string, let path = operation["path"]?.string else {
        throw Mismatch(path: "")
      }
      let change: Change? =
        switch (name, operation["value"]) {
        case ("add", let value?): .add(JSONTree(value))
        case ("replace", let value?): .replace(JSONTree(value))
        case ("remove", _): .remove
        default: nil
        }
      guard let change, tree.apply(change, at: steps(of: path, within: window)) else {
        throw Mismatch(path: path)
      }
    }
    return tree.bytes
  }

  /// An error about an operation that does not fit the value.
  package struct Mismatch: Error, Equatable {
    package let path: String

    package init(path: String) {
      self.path = path
    }
  }

  private static func steps(of path: String, within window: Window) -> ArraySlice<String> {
    var steps = Pointer.steps(of: path).dropFirst(window.depth)
    if window.first > 0, let step = steps.first, let index = Int(step) {
      steps[steps.startIndex] = "\(index - window.first)"
    }
    return steps
  }
}

/// A change at the end of an operation's path.
private enum Change {
  case add(JSONTree)
  case replace(JSONTree)
  case remove
}

extension JSONTree {
  /// Applies a change at a path; returns false if the path does not exist.
  fileprivate mutating func apply(_ change: Change, at path: ArraySlice<String>) -> Bool {
    guard let step = path.first else {
      switch change {
      case .add(let tree), .replace(let tree): self = tree
      case .remove: return false
      }
      return true
    }
    let rest = path.dropFirst()
    switch self {
    case .object(var members):
      // Releases the storage, so that changing `members` does not copy it.
      self = .array([])
      defer { self = .object(members) }
      let index = members.firstIndex { $0.name.utf8.elementsEqual(step.utf8) }
      guard rest.isEmpty else {
        return index.map { members[$0].value.apply(change, at: rest) } ?? false
      }
      switch (change, index) {
      case (.add(let tree), let index?), (.replace(let tree), let index?):
        members[index].value = tree
      case (.add(let tree), nil): members.append(Member(step, tree))
      case (.remove, let index?): members.remove(at: index)
      case (.replace, nil), (.remove, nil): return false
      }
    case .array(var elements):
      self = .array([])
      defer { self = .array(elements) }
      guard let index = step == "-" ? elements.count : Int(step), index >= 0 else { return false }
      if case .add(let tree) = change, rest.isEmpty, index <= elements.count {
        elements.insert(tree, at: index)
        return true
      }
      guard index < elements.count else { return false }
      guard rest.isEmpty else { return elements[index].apply(change, at: rest) }
      switch change {
      case .replace(let tree): elements[index] = tree
      case .remove: elements.remove(at: index)
      case .add: return false
      }
    default: return false
    }
    return true
  }
}
