import Foundation
import FusionHTTPMessages
import FusionStrictJSON
import Testing

@testable import FusionSessionAPI

struct `The list of problems` {
  /// Where problems may be made, below `Sources`.
  private let folders = ["HTTPMessages/Problems/", "SessionAPI/Problems/"]

  /// The problems that the sources make, by file: status, name and title, where a status that is no
  /// literal is nil.
  private func problems() throws -> [(file: String, problems: [Made])] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let making = /\bProblem\(\s*(\w+),\s*"([^"]*)",\s*"([^"]*)"/
    return try files.filter { $0.hasSuffix(".swift") }.map { file in
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let made = text.matches(of: making).map { match in
        Made(
          status: Int(match.output.1),
          name: String(match.output.2),
          title: String(match.output.3)
        )
      }
      return (file, made)
    }
  }

  private struct Made {
    let status: Int?
    let name: String
    let title: String
  }

  @Test func `has only problems that are made in one of two folders`() throws {
    for (file, made) in try problems() where !made.isEmpty {
      #expect(folders.contains { file.hasPrefix($0) }, "\(file) makes \(made.map(\.name))")
    }
  }

  @Test func `has the name of every problem once`() throws {
    let names = try problems().flatMap(\.problems).map(\.name).sorted()
    #expect(names.count > 30)
    #expect(names == ProblemNames.all)
    #expect(Set(names).count == names.count)
  }

  @Test func `has a page for each name, with the title and the status of the problem`() throws {
    #expect(ProblemPage.all.map(\.name).sorted() == ProblemNames.all)
    for made in try problems().flatMap(\.problems) {
      let page = try #require(ProblemPage.named[made.name], "\(made.name)")
      #expect(page.title == made.title, "\(made.name)")
      if let status = made.status { #expect(page.statuses == [status], "\(made.name)") }
    }
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
