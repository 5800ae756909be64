/// The folders of one target, with an arrow from each to the folders whose types it names, and to those whose
/// extensions of other folders' types it uses.
struct FolderGraph {
  struct Arrow: Hashable, CustomStringConvertible {
    let from: String
    let to: String
    /// A file and the type or member that it names.
    let because: String

    var description: String { "\(from) → \(to) (\(because))" }
  }

  /// One arrow for each pair of folders.
  let arrows: [Arrow]

  init(arrows: [Arrow]) {
    self.arrows = arrows
  }

  init(_ files: [SourceFile]) throws {
    let code = try files.map { ($0, try $0.code.map(Self.withoutTexts)) }
    var homes: [String: Set<String>] = [:]
    for (file, lines) in code {
      for line in lines where !line.hasPrefix(" ") {
        if let type = Self.declaredType(words(in: line)) {
          homes[type, default: []].insert(file.folder)
        }
      }
    }
    var members: [String: Set<String>] = [:]
    for (file, lines) in code {
      for member in Self.extended(lines, beside: homes, file.folder)
      where homes[member] == nil && Self.isDeclaredOnly(member, in: file.folder) {
        members[member, default: []].insert(file.folder)
      }
    }
    var arrows: [[String]: Arrow] = [:]
    for (file, lines) in code {
      let names = Self.names(in: lines)
      let places = names.all.sorted().map { ($0, homes[$0]) }
      for (word, places) in places + names.used.sorted().map({ ($0, members[$0]) }) {
        // A name declared in two folders is ambiguous.
        guard let places, places.count == 1, let to = places.first, to != file.folder else {
          continue
        }
        let arrow = Arrow(from: file.folder, to: to, because: "\(file.name).swift names \(word)")
        arrows[[file.folder, to]] = arrows[[file.folder, to]] ?? arrow
      }
    }
    self.arrows = arrows.values.sorted { $0.description < $1.description }
  }

  private static let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  /// Returns the type that a line declares, unless it is private: other files cannot name a private type.
  private static func declaredType(_ words: [String]) -> String? {
    guard !words.contains("extension") else { return nil }
    return declared(words, kinds)
  }

  private static func declared(_ words: [String], _ keywords: Set<String>) -> String? {
    guard !words.contains("private"), !words.contains("fileprivate"),
      let index = words.firstIndex(where: keywords.contains), index + 1 < words.count
    else { return nil }
    return words[index + 1]
  }

  /// Returns the members that extensions in a folder add to types of other folders and targets.
  private static func extended(
    _ lines: [String],
    beside homes: [String: Set<String>],
    _ folder: String
  ) -> [String] {
    var isForeign = false
    return lines.compactMap { line in
      guard !line.hasPrefix("   ") else { return nil }
      let words = words(in: line)
      if !line.hasPrefix(" "), !words.isEmpty {
        let type = declared(words, ["extension"])
        isForeign = type.map { homes[$0]?.contains(folder) != true } ?? false
      }
      guard isForeign, line.hasPrefix(" ") else { return nil }
      return declared(words, kinds.union(["func", "var", "let"]))
    }
  }

  /// Whether no other folder of any target declares a name.
  private static func isDeclaredOnly(_ name: String, in folder: String) -> Bool {
    let paths = DeclaredNames.all.members[name] ?? []
    return paths.allSatisfy { !$0.hasPrefix("Sources/") || SourceFile(path: $0).folder == folder }
  }

  /// Returns a line's code without the literals between its quotation marks.
  private static func withoutTexts(_ line: String) -> String {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.indices.filter { $0 % 2 == 0 }.map { String(parts[$0]) }.joined(separator: " ")
  }

  /// Returns the words of some code, and which of them follow a dot or precede a parenthesis.
  private static func names(in lines: [String]) -> (all: Set<String>, used: Set<String>) {
    var (all, used) = (Set<String>(), Set<String>())
    for line in lines {
      let bytes = Array(line.utf8)
      for name in bytes.split(whereSeparator: { !isNameByte($0) }) {
        let text = String(decoding: name, as: UTF8.self)
        all.insert(text)
        let isMember = name.startIndex > 0 && bytes[name.startIndex - 1] == UInt8(ascii: ".")
        let isCalled = name.endIndex < bytes.count && bytes[name.endIndex] == UInt8(ascii: "(")
        if isMember || isCalled { used.insert(text) }
      }
    }
    return (all, used)
  }

  /// The arrows that form cycles; empty if there is none.
  var cycle: [Arrow] {
    var rest = arrows
    while true {
      let ends = Set(rest.map(\.to)).intersection(rest.map(\.from))
      let inner = rest.filter { ends.contains($0.from) && ends.contains($0.to) }
      guard inner.count < rest.count else { return rest }
      rest = inner
    }
  }
}

private func words(in line: String) -> [String] {
  line.utf8.split { !isNameByte($0) }.map { String(Substring($0)) }
}
