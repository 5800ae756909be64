/// The folders of one target, with an arrow from each to the folders whose types it names.
struct FolderGraph {
  struct Arrow: Hashable, CustomStringConvertible {
    let from: String
    let to: String
    /// A file and the type that it names.
    let because: String

    var description: String { "\(from) → \(to) (\(because))" }
  }

  /// One arrow for each pair of folders.
  let arrows: [Arrow]

  init(arrows: [Arrow]) {
    self.arrows = arrows
  }

  init(_ files: [SourceFile]) throws {
    var homes: [String: Set<String>] = [:]
    var names: [(SourceFile, Set<String>)] = []
    for file in files {
      let words = try file.code.map { line in
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
      }
      for (line, words) in zip(try file.code, words) where !line.hasPrefix(" ") {
        for name in Self.declared(words) { homes[name, default: []].insert(file.folder) }
      }
      names.append((file, Set(words.joined())))
    }
    var arrows: [[String]: Arrow] = [:]
    for (file, words) in names {
      for word in words.sorted() {
        // A name declared in two folders is ambiguous.
        guard let home = homes[word], home.count == 1, let to = home.first, to != file.folder
        else { continue }
        let arrow = Arrow(from: file.folder, to: to, because: "\(file.name).swift names \(word)")
        arrows[[file.folder, to]] = arrows[[file.folder, to]] ?? arrow
      }
    }
    self.arrows = arrows.values.sorted { $0.description < $1.description }
  }

  private static let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  /// Returns the type that a line declares, unless it is private: other files cannot name a private type.
  private static func declared(_ words: [String]) -> [String] {
    guard !words.contains("private"), !words.contains("fileprivate"), !words.contains("extension"),
      let index = words.firstIndex(where: kinds.contains), index + 1 < words.count
    else { return [] }
    return [words[index + 1]]
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
