import Foundation
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import FusionExampleViewModels

// The README's Swift, line by line, as the last test verifies.

struct Votes: ViewModelProtocol {
  enum Input: Codable, Sendable { case vote(String), clear }
  enum Action: Sendable { case count(String), clear }
  struct State: Codable, Equatable, Sendable { var votes: [String: Int] = [:] }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .vote(let name): [.count(name)]
    case .clear: [.clear]
    }
  }

  mutating func perform(_ action: Action) {
    switch action {
    case .count(let name): state.votes[name, default: 0] += 1
    case .clear: state.votes = [:]
    }
  }
}

/// Not run: it would end the process.
private func serveVotes() async {
  var catalog = ViewModelCatalog()
  catalog.host("votes", summary: "Counts votes") { _ in Votes() }
  await UIFusionCommand.main(catalog)
}

struct VotesView: View {
  @State private var votes = ObservableStore { _ in Votes() }

  var body: some View {
    Text("Ada has \(votes.state.votes["Ada", default: 0])")
    Button("Vote") { votes.send(.vote("Ada")) }
  }
}

struct `The README` {
  @Test func `shows how to test a view model that waits`() async {
    let store = AsyncTestStore { CounterViewModel(time: $0.time) }
    await store.send(.increase) { $0.loadingState = .increasing }
    await store.advance(by: .milliseconds(500))
    await store.change { $0 = CounterViewModel.State(value: 1) }
    await store.finish()
  }

  @Test func `has at most 1,200 words`() throws {
    #expect(try projectFile("README.md").split(whereSeparator: \.isWhitespace).count <= 1_200)
  }

  @Test func `contains only Swift that is compiled here`() throws {
    let compiled = lines(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
    let blocks = try projectFile("README.md").components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(blocks.count >= 3)
    // A manifest's lines are not compiled here, but by `make new`.
    for block in blocks where !block.hasPrefix(".package") {
      for line in lines(block) {
        #expect(compiled.contains(line), "the README has \(line)")
      }
    }
  }

  private func lines(_ text: String) -> [String] {
    text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
