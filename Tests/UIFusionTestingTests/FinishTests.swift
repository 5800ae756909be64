import Foundation
import Synchronization
import Testing
import UIFusionKit

@testable import UIFusionTesting

/// Ticks from the start, and records the time of each tick.
private struct Ticker: ReducerViewModel {
  enum Action: Equatable, Sendable { case start, tick, go }
  enum Name { case timer, work }

  var state: [Date] = []
  let given: Dependencies

  func started() -> [Action] { [.start] }
  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout [Date], action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start: return [.timer(id: Name.timer, every: .seconds(1), action: .tick)]
    case .tick: state.append(given.now)
    case .go: return [.sleepThen(id: Name.work, for: .seconds(5), action: .tick)]
    }
    return []
  }
}

struct `The end of a test with an endless timer` {
  private final class Texts: Sendable {
    private let all = Mutex<[String]>([])
    var list: [String] { all.withLock { $0 } }
    func add(_ text: String) { all.withLock { $0.append(text) } }
  }

  private let texts = Texts()

  private func store() -> AsyncTestStore<Ticker> {
    let store = AsyncTestStore(issues: IssueReporter { [texts] text, _ in texts.add(text) }) {
      Ticker(given: $0)
    }
    store.engine.prepare(.started)
    store.engine.resume()
    return store
  }

  @Test func `cancels the effects that the test names`() async {
    await store().finish(cancelling: Ticker.Name.timer)
    #expect(texts.list == [])
    await store().finish()
    #expect(
      texts.list.first?.hasPrefix("Still running at the end of the test: the effect timer.") == true
    )
  }

  @Test func `reports a named effect that is not running`() async {
    await store().finish(cancelling: Ticker.Name.timer, Ticker.Name.work)
    #expect(
      texts.list == [
        """
        Not running at the end of the test: work.
        (Leave it out of finish(cancelling:).)
        """
      ]
    )
  }

  @Test func `reports other running effects`() async {
    let store = store()
    await store.send(.go)
    await store.finish(cancelling: Ticker.Name.timer)
    #expect(texts.list.count == 1)
    #expect(
      texts.list.first?.hasPrefix("Still running at the end of the test: the effect work.") == true
    )
  }
}

struct `The calendar of a test` {
  private let noon = Date(timeIntervalSince1970: 1_000_000)

  @Test func `starts at a given date, and advances with the clock`() async {
    let store = AsyncTestStore(clock: TestClock(date: noon)) { Ticker(given: $0) }
    await store.advance(by: .seconds(1))
    await store.receive(.tick) { [noon] in $0 = [noon + 1] }
    store.clock.date = noon + 3_600
    await store.advance(by: .seconds(1))
    await store.receive(.tick) { [noon] in $0 = [noon + 1, noon + 3_601] }
    await store.finish(cancelling: Ticker.Name.timer)
  }

  @Test func `starts in 1970 by default`() async {
    let clock = TestClock()
    await clock.advance(by: .milliseconds(1_500))
    #expect(clock.date == Date(timeIntervalSince1970: 1.5))
    #expect(clock.dependencies.now == clock.date)
  }
}

struct `A member that prints as dots` {
  @Test func `is named in the report of a difference`() async {
    struct Keeping: ViewModelProtocol {
      struct State: Equatable, Sendable { @Private var key = 0 }
      var state = State()
      func transform(_ input: Int) -> [Int] { [input] }
      mutating func perform(_ action: Int) { state.key = action }
    }
    let texts = Mutex<[String]>([])
    let reporter = IssueReporter { text, _ in texts.withLock { $0.append(text) } }
    let store = AsyncTestStore(issues: reporter) { _ in Keeping() }
    await store.send(3) { $0.key = 4 }
    #expect(texts.withLock { $0.first }?.contains("a Secret, Private or Redacted member") == true)
  }
}
