/// The names that this package declares, in Swift and in its browser client's types, with their files.
struct DeclaredNames: Sendable {
  /// The files that declare or extend a type, by its name.
  private(set) var types: [String: Set<String>] = [:]
  /// The files that declare a function, property, case or type, by its name.
  private(set) var members: [String: Set<String>] = [:]

  static let all = DeclaredNames(
    SourceTree.swiftFiles(in: "Sources") + SourceTree.swiftFiles(in: "Tests")
      + [SourceFile(path: "Sources/API/WebClient/uifusion.d.ts")]
  )

  init(_ files: [SourceFile]) {
    for file in files {
      guard let text = try? file.text else { continue }
      for line in Array(text.utf8).split(separator: UInt8(ascii: "\n")) { add(line, file.path) }
    }
  }

  /// Whether a type has a member, in any file that declares or extends it.
  func has(_ member: String, in type: String) -> Bool {
    guard let files = types[type], let places = members[member] else { return false }
    return !files.isDisjoint(with: places)
  }

  private static let typeKeywords: Set<String> = [
    "struct", "enum", "class", "actor", "protocol", "extension", "typealias", "associatedtype",
  ]
  private static let keywords = typeKeywords.union(["func", "var", "let"])

  private mutating func add(_ line: ArraySlice<UInt8>, _ path: String) {
    let words = line.split { !isNameByte($0) }.map { String(decoding: $0, as: UTF8.self) }
    guard let first = words.first,
      line.first(where: { $0 != UInt8(ascii: " ") }) != UInt8(ascii: "/")
    else { return }
    if first == "case" || words.dropFirst().first == "case" {
      for word in words { members[word, default: []].insert(path) }
    }
    for (keyword, name) in zip(words, words.dropFirst()) {
      if Self.typeKeywords.contains(keyword) { types[name, default: []].insert(path) }
      if Self.keywords.contains(keyword) {
        members[name, default: []].insert(path)
      }
    }
    if words.contains("init") { members["init", default: []].insert(path) }
    if path.hasSuffix(".d.ts"), let member = words.first(where: { $0 != "readonly" }) {
      members[member, default: []].insert(path)
    }
  }
}

func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
    true
  default: false
  }
}
