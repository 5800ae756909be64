import Synchronization
import Testing
import UIFusionKit

@testable import UIFusionTesting

/// The texts of a test store's failures, verbatim.
struct `The failure texts of a test store` {
  private final class Texts: Sendable {
    private let all = Mutex<[String]>([])
    var list: [String] { all.withLock { $0 } }
    func add(_ text: String) { all.withLock { $0.append(text) } }
  }

  private let texts = Texts()

  private func store() -> AsyncTestStore<Fetcher> {
    AsyncTestStore(issues: IssueReporter { [texts] text, _ in texts.add(text) }) { _ in Fetcher() }
  }

  @Test func `show a State that differs, member by member`() async {
    let store = store()
    await store.send(.add(2)) { $0.number = 1 }
    #expect(
      texts.list == [
        """
        State is not as expected after sending add(2).
          number: expected 1, is 2
        (Correct the closure: it must change the State of before into the one after.)
        """
      ]
    )
  }

  @Test func `explain that an Input is queued`() async {
    let store = AsyncTestStore(issues: IssueReporter { [texts] text, _ in texts.add(text) }) {
      Waiter(time: $0.time)
    }
    await store.send(.step) { $0.isBusy = true }
    await store.send(.fail) { $0.steps = 1 }
    #expect(
      texts.list == [
        """
        fail has changed nothing yet: it waits for the Inputs before it.
        (Leave the closure out, let time go on with advance(by:), and use change(_:). Or let it through: \
        see policy(for:).)
        """
      ]
    )
  }

  @Test func `hint at a clock other than the test's`() async {
    let other = TestClock()
    let store = AsyncTestStore(issues: IssueReporter { [texts] text, _ in texts.add(text) }) { _ in
      Waiter(time: other)
    }
    await store.send(.step) { $0.isBusy = true }
    await store.finish()
    #expect(texts.list.count == 1)
    #expect(texts.list.first?.contains("What runs does not wait on the test's clock") == true)
  }

  @Test func `name a member that State encodes but does not store`() async {
    let store = AsyncTestStore(issues: IssueReporter { [texts] text, _ in texts.add(text) }) { _ in
      Totaller()
    }
    await store.send(.add(2)) { $0.number = 1 }
    #expect(texts.list.first?.contains("  doubled: expected 2, is 4\n") == true)
  }

  @Test func `ask for a closure if State changed without one`() async {
    let store = store()
    await store.send(.add(2))
    #expect(
      texts.list == [
        """
        State is not as expected after sending add(2).
          number: expected 0, is 2
        (Say so: add a closure that changes the State of before into the one after.)
        """
      ]
    )
  }

  @Test func `ask to leave out a closure that changes nothing`() async {
    let store = store()
    await store.send(.add(0)) { $0.number = 0 }
    #expect(
      texts.list == [
        """
        State has not changed by sending add(0), as expected, but a closure says that it does.
        (Leave the closure out.)
        """
      ]
    )
  }

  @Test func `name each action that was not expected`() async {
    let store = store()
    await store.send(.chain)
    await store.finish()
    #expect(
      texts.list == [
        """
        Not everything was looked at before the end of the test:
          received add(1) (number: 0 → 1)
          received add(2) (number: 1 → 3)
        (Use receive(_:), change(_:) or receiveError(_:) for each, or skip().)
        """
      ]
    )
  }

  @Test func `name each effect that is still running`() async {
    let store = store()
    await store.send(.fetch) { $0.isLoading = true }
    await store.finish()
    #expect(
      texts.list == [
        """
        Still running at the end of the test: the effect fetch.
        (Let time go on until it ends, or send the Input that cancels it.)
        """
      ]
    )
  }

  @Test func `show an action that differs from the expected one`() async {
    let store = store()
    await store.send(.chain)
    await store.receive(.add(5)) { $0.number = 5 }
    #expect(
      texts.list == [
        """
        Received another action than expected.
          expected: add(5)
          actual: add(1)
        """
      ]
    )
  }

  @Test func `compare the next State with the one after an action that differs`() async {
    let store = store()
    await store.send(.chain)
    await store.receive(.add(5)) { $0.number = 5 }
    await store.receive(.add(2)) { $0.number += 2 }
    #expect(texts.list.count == 1)
  }

  @Test func `count the Inputs that have not begun by the end`() async {
    let store = AsyncTestStore(issues: IssueReporter { [texts] text, _ in texts.add(text) }) {
      Waiter(time: $0.time)
    }
    await store.send(.step) { $0.isBusy = true }
    await store.send(.step)
    await store.finish()
    #expect(
      texts.list.contains(
        """
        1 Input has not begun by the end of the test.
        (Let time go on until the Inputs before are done.)
        """
      )
    )
  }

  @Test func `say nothing of Inputs whose steps are skipped`() async {
    let store = AsyncTestStore(issues: IssueReporter { [texts] text, _ in texts.add(text) }) {
      Waiter(time: $0.time)
    }
    await store.send(.step) { $0.isBusy = true }
    await store.send(.step)
    await store.advance(by: .seconds(2))
    await store.skip()
    await store.finish()
    #expect(texts.list == [])
  }

  @Test func `report that no action, change or error arrived`() async {
    let store = store()
    await store.receive(.fetched(1))
    await store.change { $0.number = 1 }
    _ = await store.receiveError()
    #expect(
      texts.list == [
        """
        Expected to receive fetched(1), and no effect has sent an action.
        (Let time go on with advance(by:), or leave this out.)
        """,
        """
        Expected State to change, and it did not.
        (Let time go on with advance(by:), or leave this out.)
        """,
        "Expected an error, and there was none.",
      ]
    )
  }

  @Test func `are reported to Swift Testing`() async {
    await withKnownIssue {
      let store = AsyncTestStore { _ in Fetcher() }
      await store.send(.add(1))
    }
  }
}

/// Encodes a computed member.
private struct Totaller: ReducerViewModel {
  enum Input: Sendable { case add(Int) }
  typealias Action = Input
  struct State: Encodable, Equatable, Sendable {
    var number = 0

    enum CodingKeys: CodingKey { case number, doubled }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
      try container.encode(number * 2, forKey: .doubled)
    }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  func reduce(state: inout State, action: Input) -> [AsyncEffect<Input>] {
    if case .add(let number) = action { state.number += number }
    return []
  }
}
