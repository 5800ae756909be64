import Foundation
import FusionHTTPMessages
import FusionStrictJSON
import Testing

@testable import FusionSessionAPI

struct `The list of problems` {
  /// Where problems may be made, below `Sources`.
  private let folders = ["HTTPMessages/Problems/", "SessionAPI/Problems/"]

  /// The names of the problems that the sources make, by file.
  private func problems() throws -> [(file: String, names: [String])] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let making = /\bProblem\(\s*\w+,\s*"([^"]*)"/
    return try files.filter { $0.hasSuffix(".swift") }.map { file in
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      return (file, text.matches(of: making).map { String($0.output.1) })
    }
  }

  @Test func `has only problems that are made in one of two folders`() throws {
    for (file, names) in try problems() where !names.isEmpty {
      #expect(folders.contains { file.hasPrefix($0) }, "\(file) makes \(names)")
    }
  }

  @Test func `has the name of every problem once`() throws {
    let names = try problems().flatMap(\.names).sorted()
    #expect(names.count > 30)
    #expect(names == ProblemNames.all)
    #expect(Set(names).count == names.count)
  }

  @Test func `is what the OpenAPI document says of a problem's type`() async throws {
    let answer = try await Client().send(.get, "/openapi.json")
    let problem = JSONTree(try answer.json())["components"]?["schemas"]?["Problem"]
    #expect(
      problem?["properties"]?["type"]?["enum"]
        == .array(ProblemNames.all.map { .string("/problems/\($0)") })
    )
  }
}
