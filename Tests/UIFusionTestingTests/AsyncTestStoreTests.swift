import Testing
import UIFusionKit
import UIFusionTesting

struct `A test store` {
  @Test func `follows a reducing view model step by step`() async {
    let store = AsyncTestStore { _ in Fetcher() }
    await store.send(.fetch) { $0.isLoading = true }
    await store.advance(by: .seconds(1))
    await store.receive(.fetched(7)) {
      $0.number = 7
      $0.isLoading = false
    }
    await store.finish()
    #expect(store.state == Fetcher.State(number: 7))
  }

  @Test func `receives actions in the order of sending`() async {
    let store = AsyncTestStore { _ in Fetcher() }
    await store.send(.chain)
    await store.receive(.add(1)) { $0.number = 1 }
    await store.receive(.add(2)) { $0.number = 3 }
    await store.finish()
  }

  @Test func `ends when its running effects are cancelled`() async {
    let store = AsyncTestStore { _ in Fetcher() }
    await store.send(.fetch) { $0.isLoading = true }
    await store.send(.cancel) { $0.isLoading = false }
    await store.finish()
  }

  @Test func `ticks with a timer`() async {
    let store = AsyncTestStore { _ in Fetcher() }
    await store.send(.tick)
    await store.advance(by: .seconds(2))
    await store.receive(.ticked) { $0.number = 1 }
    await store.receive(.ticked) { $0.number = 2 }
    await store.send(.cancel)
    await store.finish()
  }

  @Test func `receives errors`() async {
    let store = AsyncTestStore { _ in Fetcher() }
    await store.send(.fail)
    let error = await store.receiveError { $0.number = 100 }
    #expect(error?.typeName == "Broken")
    await store.finish()
  }

  @Test func `follows an asynchronous view model from State to State`() async {
    let store = AsyncTestStore { Waiter(time: $0.time) }
    await store.send(.step) { $0.isBusy = true }
    await store.advance(by: .seconds(1))
    await store.change { $0 = Waiter.State(steps: 1) }
    await store.finish()
  }

  @Test func `follows an Input that waits for the one before it`() async {
    let store = AsyncTestStore { Waiter(time: $0.time) }
    await store.send(.step) { $0.isBusy = true }
    await store.send(.step)
    await store.advance(by: .seconds(1))
    await store.change { $0 = Waiter.State(steps: 1, isBusy: false) }
    await store.change { $0.isBusy = true }
    await store.advance(by: .seconds(1))
    await store.change { $0 = Waiter.State(steps: 2) }
    await store.finish()
  }

  @Test func `follows a reactor`() async {
    let store = AsyncTestStore { _ in Reactor() }
    await store.send(.add(5)) { $0.count = 5 }
    await store.send(.twice) { $0.count = 6 }
    await store.change { $0.count = 7 }
    await store.finish()
  }

  @Test func `ignores unasserted changes when it is not exhaustive`() async {
    let store = AsyncTestStore { _ in Fetcher() }
    store.isExhaustive = false
    await store.send(.chain)
    await store.receive(.add(2)) { $0.number = 3 }
    await store.send(.fetch)
    await store.advance(by: .seconds(1))
    await store.receive(.fetched(7))
    #expect(store.state.number == 7)
    await store.finish()
  }
}

struct `A stub` {
  @Test func `case 23: asks the real reactor, one Input after another`() async {
    let stub = Stub(reactor: Reactor())
    for (number, count) in [(5, 5), (-3, 2), (5, 7), (-3, 4)] {
      #expect(await stub.test(input: .add(number)).count == count)
    }
    #expect(stub.states.map(\.count) == [5, 2, 7, 4])
  }

  @Test func `records Inputs, and publishes the States that a test assigns`() async {
    let stub = Stub(reactor: Reactor())
    await stub.send(.add(1))
    #expect(stub.inputs.count == 1)
    #expect(stub.state.count == 0)
    stub.state = Reactor.State(count: 9)
    stub.isRunning = true
    await stub.send(.twice)
    #expect(stub.states.map(\.count) == [9, 10, 11])
  }
}

struct `A test clock` {
  @Test func `runs until no task sleeps`() async {
    let store = AsyncTestStore { _ in Fetcher() }
    await store.send(.fetch) { $0.isLoading = true }
    await store.clock.run()
    #expect(store.clock.now == .seconds(1))
    await store.skip()
    #expect(store.state.number == 7)
    await store.finish()
  }

  @Test func `runs an endless timer for a limited time`() async {
    let store = AsyncTestStore { _ in Fetcher() }
    await store.send(.tick)
    await store.clock.run(atMost: .seconds(10))
    await store.skip()
    #expect(store.state.number == 10)
    await store.send(.cancel)
    await store.finish()
  }

  @Test func `wakes tasks with the same deadline in the order in which they went to sleep`() async {
    let clock = TestClock()
    let store = Store(clock.dependencies) { Waiter(time: $0.time) }
    store.send(.step, .step)
    await clock.advance(by: .seconds(2))
    #expect(store.state.steps == 2)
  }
}
