import Foundation
import Testing

/// An article about this package, as far as it names what is in it.
struct Article: Sendable, CustomTestStringConvertible {
  let file: SourceFile

  var testDescription: String { file.path }

  /// README, the files about contributing, the guide, and the articles on how the service is built.
  static let all = SourceTree.files.filter {
    $0.kind == "md"
      && ["Sources/", ".github/", "README.md"].contains(where: $0.path.hasPrefix)
  }.map(Article.init)

  /// What stands in backticks outside of fenced blocks.
  var spans: [String] {
    get throws {
      let parts = try prose.joined(separator: " ").split(
        separator: "`",
        omittingEmptySubsequences: false
      )
      return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
  }

  /// A test that is said to hold a promise, by its name and its file's.
  struct NamedTest {
    let name: String
    let file: String
  }

  /// The tests that points called "Holds it" name: `"a", "b" (`File`)`.
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

  /// A step of an anatomy: a call that is counted, or a question beside the way.
  struct Step {
    let number: Int?
    let call: String
    let files: [String]
  }

  /// The lines `12  Type.function  File, File  why` of fenced blocks that have numbered ones.
  var steps: [Step] {
    get throws {
      try blocks.flatMap { block in
        let steps = block.compactMap { line in
          line.wholeMatch(
            of: /( \d|\d\d|  )  (\S.*?) {2,}(the view model|[\w+]+(?:, [\w+]+)*)(?: .*)?/
          ).map { match in
            Step(
              number: Int(match.output.1.filter { $0 != " " }),
              call: String(match.output.2),
              files: match.output.3.split(separator: ", ").map(String.init)
            )
          }
        }
        return steps.contains { $0.number != nil } ? steps : []
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

  private var blocks: [[String]] {
    get throws {
      let parts = try file.lines.split(omittingEmptySubsequences: false) { $0.hasPrefix("```") }
      return parts.indices.filter { $0 % 2 == 1 }.map { Array(parts[$0]) }
    }
  }
}
