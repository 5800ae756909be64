import Foundation
import Testing

/// Checks the places that have to know each hosted example.
struct `An example` {
  private struct Example {
    let name: String
    let type: String
  }

  /// Returns the examples that `uifusion` hosts, from `host("name", …) { …; Type(…) }`.
  private func examples() throws -> [Example] {
    let text = try SourceFile(path: "Sources/Examples/uifusion/Examples.swift").text
    return text.components(separatedBy: "catalog.host(").dropFirst().compactMap { call in
      guard let name = call.firstMatch(of: /"([\w-]+)"/)?.output.1,
        let type = call.firstMatch(of: /\b(\w+(?:ViewModel|Reactor))\(/)?.output.1
      else { return nil }
      return Example(name: String(name), type: String(type))
    }
  }

  @Test func `is found in the file that hosts it`() throws {
    let calls =
      try SourceFile(path: "Sources/Examples/uifusion/Examples.swift").text
      .components(separatedBy: "catalog.host(").count - 1
    #expect(try examples().count == calls && calls > 10)
  }

  @Test func `has a page`() throws {
    let pages = try SourceTree.files.filter { $0.path.hasPrefix("Public/") && $0.kind == "html" }
      .map { try $0.text }
    for example in try examples() {
      let element = "data-view-model=\"\(example.name)\""
      #expect(pages.contains { $0.contains(element) }, "\(example.name)")
    }
  }

  @Test func `of the 7GUIs has a page in their folder`() throws {
    let text = try SourceFile(path: "Sources/Examples/uifusion/SevenGUIs.swift").text
    let names = text.matches(of: /host\("guis-(\w+)"/).map { String($0.output.1) }
    #expect(names.count == 7)
    for name in names {
      let page = try SourceFile(path: "Public/7guis/\(name).html").text
      #expect(page.contains("data-view-model=\"guis-\(name)\""), "\(name)")
    }
  }

  @Test func `has a test of its plan`() throws {
    let tests = try SourceFile(path: "Tests/ExampleViewModelsTests/PlanTests.swift").text
    for example in try examples() {
      #expect(tests.contains(" \(example.type)("), "\(example.type)")
    }
  }

  @Test func `is hosted by the tests of restarts`() throws {
    let catalogs = try ["Restarts/Visit", "Harness/Client"].map {
      try SourceFile(path: "Tests/SessionAPITests/\($0).swift").text
    }
    for example in try examples() {
      #expect(catalogs.contains { $0.contains("host(\"\(example.name)\"") }, "\(example.name)")
    }
  }
}
