import Foundation
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import UIFusionTools

// What follows is the Swift that `uifusion new shop` writes, line by line; the last test checks that.

/// Counts: at once, or a second later.
struct ShopViewModel: ReducerViewModel {
  /// A request of a client.
  enum Input: Codable, Sendable { case increase, increaseLater, reset }

  /// A step that changes State or starts an effect.
  enum Action: Codable, Sendable { case increase, wait, arrive, reset }

  /// The snapshot that clients see.
  struct State: Codable, Equatable, Sendable {
    var count = 0
    var isWaiting = false
  }

  private enum EffectName { case wait }

  var state = State()
  let time: any TimeSource

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .increase: [.increase]
    case .increaseLater: [.wait]
    case .reset: [.reset]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .increase:
      state.count += 1
    case .wait:
      state.isWaiting = true
      return [
        .runAction(id: EffectName.wait) { [time] in
          try await time.sleep(for: .seconds(1))
          return .arrive
        }
      ]
    case .arrive:
      state.count += 1
      state.isWaiting = false
    case .reset:
      state = State()
      return [.cancel(id: EffectName.wait)]
    }
    return []
  }

  /// Starts the wait again after a restart, which effects do not survive.
  func restored(_ interrupted: Interrupted) -> [Action] {
    state.isWaiting ? [.wait] : []
  }
}

/// Is never called, since it would end the process.
private func serveShop() async {
  var catalog = ViewModelCatalog()
  catalog.host("shop", summary: "Counts") { ShopViewModel(time: $0.time) }
  await UIFusionCommand.main(catalog, tools: .all)
}

struct ShopTests {
  let store = AsyncTestStore { ShopViewModel(time: $0.time) }

  @Test func `counts at once`() async {
    await store.send(.increase) { $0.count = 1 }
    await store.send(.increase) { $0.count = 2 }
    await store.finish()
  }

  @Test func `counts a second later`() async {
    await store.send(.increaseLater) { $0.isWaiting = true }
    await store.advance(by: .seconds(1))
    await store.receive(.arrive) {
      $0.count = 1
      $0.isWaiting = false
    }
    await store.finish()
  }

  @Test func `does not count after a reset`() async {
    await store.send(.increaseLater) { $0.isWaiting = true }
    await store.send(.reset) { $0.isWaiting = false }
    await store.advance(by: .seconds(1))
    await store.finish()
  }
}

struct `The Swift of a new package` {
  @Test func `equals the code in this file`() throws {
    let compiled = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let name = try #require(PackageName("shop"))
    let template = PackageTemplate(name: name, source: .folder("/uifusion"))
    for text in [template.viewModel, template.tests] {
      #expect(compiled.contains(afterImports(text)), "\(text)")
    }
    let lines = compiled.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    for line in afterImports(template.main).split(separator: "\n") {
      #expect(lines.contains(line), "\(line)")
    }
    for line in (template.viewModel + template.tests + template.main).split(separator: "\n")
    where line.hasPrefix("import ") {
      #expect(compiled.contains(line), "\(line)")
    }
  }

  /// The code without comments, and without what is said about imports.
  private func lines(of text: String) -> [Substring] {
    text.split(separator: "\n").filter { line in
      !line.hasPrefix("import ") && !line.hasPrefix("@testable ")
        && !line.trimmingPrefix { $0 == " " }.hasPrefix("///")
    }
  }

  @Test func `with what people share equals the code of the article on it`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let name = try #require(PackageName("rooms"))
    let template = PackageTemplate(name: name, source: .folder("/"), parts: [.login, .shared])
    func compiled(_ file: String) throws -> [Substring] {
      let text = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
      return lines(of: text).map { $0.drop { $0 == " " } }
    }
    let article = try compiled("SharedSessionsTests.swift")
    for text in [template.house, template.desk, template.sharedTests, template.main] {
      for line in lines(of: text).map({ $0.drop { $0 == " " } })
      where !["routes", "addLoginRoutes", "struct RoomsTests", "UIFusionCommand", "var catalog"]
        .contains(where: { line.contains($0) })
      {
        #expect(article.contains(line), "\(line)")
      }
    }
    let logins = try compiled("LoginTemplateTests.swift")
    for line in lines(of: template.logins).map({ $0.drop { $0 == " " } }) {
      #expect(logins.contains(line), "\(line)")
    }
  }

  private func afterImports(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0.isEmpty || $0.contains("import ") }.joined(separator: "\n")
  }
}
