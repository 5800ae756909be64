import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

private final class Ends: Sendable {
  private let counts = Mutex<[Int]>([])
  var all: [Int] { counts.withLock { $0 } }
  func add(_ count: Int) { counts.withLock { $0.append(count) } }
}

private struct Synchronous: ViewModelProtocol, SessionEnding {
  var state = 0
  let ends: Ends
  func transform(_ input: Int) -> [Int] { [input] }
  mutating func perform(_ action: Int) { state += action }
  func sessionEnded() { ends.add(state) }
}

private final class Asynchronous: AsyncViewModel, SessionEnding {
  var state = 0
  let ends: Ends
  init(ends: Ends) { self.ends = ends }
  func transform(_ input: Int) async -> [Int] { [input] }
  func perform(_ action: Int) async throws { state += action }
  func handleError(_ error: SendableError) async {}
  func sessionEnded() { ends.add(state) }
}

private struct Reducing: ReducerViewModel, SessionEnding {
  var state = 0
  let ends: Ends
  func transform(_ input: Int) -> [Int] { [input] }
  func reduce(state: inout Int, action: Int) -> [AsyncEffect<Int>] {
    state += action
    return [.timer(id: "timer", every: .seconds(1), action: 1)]
  }
  func sessionEnded() { ends.add(state) }
}

private final class Mutating: AsyncReactor, SessionEnding {
  var currentState = 0
  let ends: Ends
  init(ends: Ends) { self.ends = ends }
  func reduce(_ input: Int) async -> Int { input }
  func mutate(_ state: Int, mutation: Int) async -> Int { state + mutation }
  func sessionEnded() { ends.add(currentState) }
}

struct `A view model's end in process` {
  private let ends = Ends()
  private let clock = TestClock()

  private func end<Model: ViewModel>(_ make: @Sendable () -> Model) async where Model.Input == Int {
    let store = Store(clock.dependencies) { _ in make() }
    store.send(3)
    await clock.idle()
    #expect(ends.all == [])
    store.close()
    store.close()
    await clock.idle()
  }

  @Test func `is reported once to a ViewModelProtocol, with the last State`() async {
    let ends = ends
    await end { Synchronous(ends: ends) }
    #expect(ends.all == [3])
  }

  @Test func `is reported to an AsyncViewModel`() async {
    let ends = ends
    await end { Asynchronous(ends: ends) }
    #expect(ends.all == [3])
  }

  @Test func `is reported to a ReducerViewModel whose timer runs`() async {
    let ends = ends
    await end { Reducing(ends: ends) }
    #expect(ends.all == [3])
    await clock.advance(by: .seconds(5))
    #expect(ends.all == [3])
  }

  @Test func `is reported to an AsyncReactor`() async {
    let ends = ends
    await end { Mutating(ends: ends) }
    #expect(ends.all == [3])
  }

  @Test func `is reported when a test finishes`() async {
    let store = AsyncTestStore { [ends] _ in Synchronous(ends: ends) }
    await store.send(2) { $0 = 2 }
    await store.finish()
    #expect(ends.all == [2])
  }
}
