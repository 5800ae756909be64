package import FusionStrictJSON

extension JSONPatch {
  /// The text of what a patch makes of a value.
  ///
  /// A member that comes in stands last. Knows `add`, `remove` and `replace`, which ``text(from:to:limit:)``
  /// writes.
  ///
  /// - Throws: a ``Mismatch`` where an operation has no place in the value.
  package static func apply(
    _ patch: JSONValue,
    to value: JSONValue
  ) throws(Mismatch) -> [UInt8] {
    try apply(patch, to: value, within: Window())
  }

  /// A part of a value, to which alone a patch to the value is applied.
  struct Window {
    /// How many steps lead to the container that it is a part of.
    var depth = 0
    /// Which element of that comes first.
    var first = 0
  }

  static func apply(
    _ patch: JSONValue,
    to value: JSONValue,
    within window: Window
  ) throws(Mismatch) -> [UInt8] {
    var tree = Tree(value)
    for operation in patch.elements {
      guard let name = operation["op"]?.string, let path = operation["path"]?.string else {
        throw Mismatch(path: "")
      }
      let change: Tree.Change? =
        switch (name, operation["value"]) {
        case ("add", let value?): .add(Tree(value))
        case ("replace", let value?): .replace(Tree(value))
        case ("remove", _): .remove
        default: nil
        }
      guard let change, tree.apply(change, at: steps(of: path, within: window)) else {
        throw Mismatch(path: path)
      }
    }
    var text: [UInt8] = []
    tree.write(to: &text)
    return text
  }

  /// An operation that fits the value nowhere.
  package struct Mismatch: Error, Equatable {
    package let path: String

    package init(path: String) {
      self.path = path
    }
  }

  /// A path's steps, byte by byte: to Swift, a slash with an accent behind it is another character.
  private static func steps(of path: String, within window: Window) -> ArraySlice<String> {
    var steps = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst(1 + window.depth).map(unescaped)
    if window.first > 0, let index = steps.first.flatMap(Int.init) {
      steps[0] = "\(index - window.first)"
    }
    return steps[...]
  }

  /// RFC 6901 section 4: `~1` is `/`, and `~0` is `~`.
  private static func unescaped(_ step: Substring.UTF8View) -> String {
    guard step.contains(UInt8(ascii: "~")) else { return String(Substring(step)) }
    var bytes: [UInt8] = []
    var isEscape = false
    for byte in step {
      switch byte {
      case UInt8(ascii: "0") where isEscape: bytes[bytes.count - 1] = UInt8(ascii: "~")
      case UInt8(ascii: "1") where isEscape: bytes[bytes.count - 1] = UInt8(ascii: "/")
      default:
        bytes.append(byte)
        isEscape = byte == UInt8(ascii: "~")
        continue
      }
      isEscape = false
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A value that can be changed in places.
private indirect enum Tree {
  case object([(name: String, value: Tree)])
  case array([Tree])
  case leaf(JSONValue)

  enum Change {
    case add(Tree)
    case replace(Tree)
    case remove
  }

  init(_ value: JSONValue) {
    switch value.kind {
    case .object: self = .object(value.members.map { ($0.name, Tree($0.value)) })
    case .array: self = .array(value.elements.map(Tree.init))
    default: self = .leaf(value)
    }
  }

  /// False where there is no such place.
  mutating func apply(_ change: Change, at path: ArraySlice<String>) -> Bool {
    guard let step = path.first else {
      switch change {
      case .add(let tree), .replace(let tree): self = tree
      case .remove: return false
      }
      return true
    }
    let rest = path.dropFirst()
    switch self {
    case .leaf: return false
    case .object(var members):
      // Let go of, or each change would copy it.
      self = .array([])
      defer { self = .object(members) }
      let index = members.firstIndex { $0.name.utf8.elementsEqual(step.utf8) }
      guard rest.isEmpty else {
        return index.map { members[$0].value.apply(change, at: rest) } ?? false
      }
      switch (change, index) {
      case (.add(let tree), let index?), (.replace(let tree), let index?):
        members[index].value = tree
      case (.add(let tree), nil): members.append((step, tree))
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
    }
    return true
  }

  func write(to text: inout [UInt8]) {
    switch self {
    case .leaf(let value): value.write(to: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        element.write(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        StrictJSON.append(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        member.value.write(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }
}
