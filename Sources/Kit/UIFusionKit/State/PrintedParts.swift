/// The printed parts of a value, down to those that have no parts of their own.
///
/// An object is printed where it is met first, so that a cycle of objects ends.
struct PrintedParts {
  /// The depth at which a part is not divided any more; it also ends a mirror that contains itself.
  private static let depthLimit = 64
  private static let tooDeep = "…"

  /// The paths of the parts, in order.
  private(set) var paths: [String] = []
  private var texts: [ByteString: String] = [:]
  /// The objects that were met, with the path of each.
  private var objects: [ObjectIdentifier: String] = [:]

  init(of value: Any) {
    add(value, at: "", depth: 0)
  }

  subscript(path: String) -> String? { texts[ByteString(path)] }

  private mutating func add(_ text: String, at path: String) {
    let key = ByteString(path)
    guard texts[key] == nil else { return }
    texts[key] = text
    paths.append(path)
  }

  private mutating func add(_ value: Any, at path: String, depth: Int) {
    guard depth < Self.depthLimit else { return add(Self.tooDeep, at: path) }
    if let text = PrintedValue(value)?.text { return add(text, at: path) }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      guard let some = mirror.children.first else { return add("nil", at: path) }
      return add(some.value, at: path, depth: depth + 1)
    case .collection:
      for (index, child) in mirror.children.enumerated() {
        add(child.value, at: "\(path)[\(index)]", depth: depth + 1)
      }
      return
    case .dictionary: return addEntries(of: mirror, at: path, depth)
    case .class:
      let object = value as AnyObject
      if let first = objects[ObjectIdentifier(object)] {
        return add("the same object as \(first.isEmpty ? "the whole" : first)", at: path)
      }
      objects[ObjectIdentifier(object)] = path
      fallthrough
    case .struct, .tuple:
      guard !mirror.children.isEmpty else { break }
      for child in mirror.children {
        // A property wrapper's storage begins with an underscore.
        let label = (child.label ?? "").drop { $0 == "_" }
        let path = path.isEmpty ? String(label) : "\(path).\(label)"
        add(child.value, at: path, depth: depth + 1)
      }
      return
    default: break
    }
    add(Self.text(of: value, depth: depth), at: path)
  }

  private mutating func addEntries(of mirror: Mirror, at path: String, _ depth: Int) {
    let entries = mirror.children.map { entry in
      let parts = Mirror(reflecting: entry.value).children.map(\.value)
      return (path: "\(path)[\(parts.first ?? "")]", value: parts.last ?? entry.value)
    }
    for entry in entries.sorted(by: { $0.path.precedesInBytes($1.path) }) {
      add(entry.value, at: entry.path, depth: depth + 1)
    }
  }

  /// Returns the printed form of a value; for an enum's case its name, without type and module.
  private static func text(of value: Any, depth: Int) -> String {
    guard depth < depthLimit else { return tooDeep }
    if let text = PrintedValue(value)?.text { return text }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .set {
      // Equal sets may have their elements in another order.
      let elements = mirror.children.map { String(reflecting: $0.value) }
      return "Set([\(elements.sorted { $0.precedesInBytes($1) }.joined(separator: ", "))])"
    }
    guard mirror.displayStyle == .enum, !(value is any CustomStringConvertible),
      !(value is any CustomDebugStringConvertible)
    else { return String(reflecting: value) }
    guard let child = mirror.children.first, let name = child.label else { return "\(value)" }
    let values = Mirror(reflecting: child.value)
    let parts =
      values.displayStyle == .tuple
      ? values.children.map { part in
        let label = part.label.flatMap { $0.hasPrefix(".") ? nil : "\($0): " } ?? ""
        return label + text(of: part.value, depth: depth + 1)
      } : [text(of: child.value, depth: depth + 1)]
    return "\(name)(\(parts.joined(separator: ", ")))"
  }
}

extension String {
  /// The text with each scalar beyond ASCII as Swift's literals write it.
  var withScalarsEscaped: String {
    unicodeScalars.map { $0.isASCII ? String($0) : $0.escaped(asASCII: true) }.joined()
  }
}
