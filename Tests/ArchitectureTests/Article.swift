import Foundation
import Testing

/// An article about this package, with the names that it mentions.
struct Article: Sendable, CustomTestStringConvertible {
  let file: SourceFile

  var testDescription: String { file.path }

  /// README, the files for contributors, the guide, and the articles on the service's design.
  static let all = SourceTree.files.filter {
    $0.kind == "md"
      && ["Sources/", ".github/", "README.md"].contains(where: $0.path.hasPrefix)
  }.map(Article.init)

  /// The texts in backticks outside of fenced blocks.
  var spans: [String] {
    get throws {
      let parts = try prose.joined(separator: " ").split(
        separator: "`",
        omittingEmptySubsequences: false
      )
      return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
  }

  /// A test that an article names for a promise.
  struct NamedTest {
    let name: String
    let file: String
  }

  /// The tests named in the points "Holds it": `"a", "b" (`File`)`.
  var tests: [NamedTest] {
    get throws {
      var tests: [NamedTest] = []
      let points = try prose.joined(separator: "\n").components(separatedBy: "\n\n")
        .compactMap { $0.components(separatedBy: "- **Holds it.**").dropFirst().last }
      for point in points {
        var names: [String] = []
        let text = point.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for match in text.matches(of: /"([^"]+)"|\(`(\w+)`/) {
          if let name = match.output.1 { names.append(String(name)) }
          guard let file = match.output.2 else { continue }
          tests += names.map { NamedTest(name: $0, file: String(file)) }
          names = []
        }
        tests += names.map { NamedTest(name: $0, file: "") }
      }
      return tests
    }
  }

  /// The lines `  Type.function  File  why` of the blocks marked as steps, by block.
  var walks: [[Step]] {
    get throws {
      try blocks(marked: "steps").map { block in
        try block.map { line in
          let match = try #require(
            line.wholeMatch(of: /( *)([\w.]+) {2,}([\w+]+)(?: .*)?/),
            "\(line)"
          )
          return Step(
            depth: match.output.1.count / 2,
            call: String(match.output.2),
            file: String(match.output.3)
          )
        }
      }
    }
  }

  private var prose: [String] {
    get throws {
      var isFenced = false
      return try file.lines.filter { line in
        if line.hasPrefix("```") {
          isFenced.toggle()
          return false
        }
        return !isFenced
      }
    }
  }

  private func blocks(marked kind: String) throws -> [[String]] {
    let parts = try file.lines.split(omittingEmptySubsequences: false) { $0.hasPrefix("```") }
    let kinds = try file.lines.filter { $0.hasPrefix("```") }
    return parts.indices.filter { $0 % 2 == 1 && kinds[$0 - 1] == "```\(kind)" }
      .map { Array(parts[$0]) }
  }
}
