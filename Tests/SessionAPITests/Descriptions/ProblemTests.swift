import Foundation
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionStrictJSON
import Testing

@testable import FusionSessionAPI

struct `The table of problems` {
  private let kinds = ProblemTable.ofService.kinds

  /// The names of the rows that the sources declare, by file.
  private func declared() throws -> [(file: String, names: [String])] {
    let root = URL(filePath: #filePath).pathComponents.prefix { $0 != "Tests" }
    let sources = URL(filePath: root.joined(separator: "/")).appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let row = /\bProblem\(\s*\d+,\s*(?:or: \d+,\s*)?"([^"]*)"/
    return try files.filter { $0.hasSuffix(".swift") }.map { file in
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      return (file, text.matches(of: row).map { String($0.output.1) })
    }
  }

  @Test func `has one row for each declared problem`() throws {
    let names = try declared().flatMap(\.names).sorted()
    #expect(names.count > 30)
    #expect(kinds.map(\.name) == names)
    #expect(Set(names).count == names.count)
  }

  @Test func `is declared only in files or folders named Problem`() throws {
    for (file, names) in try declared() where !names.isEmpty {
      #expect(file.contains("/Problem"), "\(file) declares \(names)")
    }
  }

  @Test func `has a status, a meaning and an advice in every row`() {
    for kind in kinds {
      #expect(kind.statuses.allSatisfy { 400..<600 ~= $0 }, "\(kind.name)")
      for text in [kind.title, kind.meaning, kind.advice] {
        #expect(!text.isEmpty && !text.contains("{}"), "\(kind.name)")
      }
    }
  }

  @Test func `names the flag of each limit that is reported`() {
    let limits = kinds.filter { $0.limit != nil }
    #expect(limits.count == 10)
    for kind in limits {
      #expect(kind.advice.contains("--\(kind.limit ?? "")"), "\(kind.name)")
    }
  }

  @Test func `is the OpenAPI document's list of problem types`() async throws {
    let answer = try await Client().send(.get, "/openapi.json")
    let problem = JSONTree(try answer.json())["components"]?["schemas"]?["Problem"]
    #expect(
      problem?["properties"]?["type"]?["enum"] == .array(kinds.map { .string($0.type) })
    )
  }
}
