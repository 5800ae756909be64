import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The counter` {
  private typealias State = CounterViewModel.State
  private let clock = TestClock()
  private let states = States()
  private let engine: Engine

  private final class States: Sendable {
    let all = Mutex<[State]>([])
  }

  init() {
    let clock = clock
    engine = Engine(
      clock.dependencies,
      published: { [states] (state: State, _) in states.all.withLock { $0.append(state) } },
      { CounterViewModel(time: clock) }
    )
  }

  private var seen: [State] { states.all.withLock { $0 } }
  private var current: State? { seen.last }

  private func send(_ inputs: CounterViewModel.Input...) {
    _ = engine.submit(InputBatch(inputs))
  }

  @Test func `case 4: shows increasing for half a second, then the value`() async {
    send(.increase)
    #expect(current == State(value: 0, loadingState: .increasing))
    await clock.advance(by: .milliseconds(499))
    #expect(current == State(value: 0, loadingState: .increasing))
    await clock.advance(by: .milliseconds(1))
    #expect(current == State(value: 1, loadingState: .none))
    #expect(seen.count == 3)
  }

  @Test(arguments: [
    (CounterViewModel.Input.increase, 10, "값이 허용 범위를 벗어났습니다 (현재: 11, 범위: -10~10)"),
    (.decrease, -10, "값이 허용 범위를 벗어났습니다 (현재: -11, 범위: -10~10)"),
  ])
  func `case 5: alerts at the end of its range and keeps the value`(
    input: CounterViewModel.Input,
    end: Int,
    message: String
  ) async {
    for _ in 0..<10 { send(input) }
    await clock.advance(by: .seconds(5))
    #expect(current == State(value: end))
    send(input)
    #expect(current?.loadingState == (end > 0 ? .increasing : .decreasing))
    await clock.advance(by: .milliseconds(500))
    #expect(current == State(value: end, activeAlert: .error(message)))
  }

  @Test func `case 6: shows an alert with the value until it is dismissed`() async {
    send(.increase, .show)
    await clock.advance(by: .milliseconds(500))
    #expect(current == State(value: 1, activeAlert: .info("1")))
    send(.dismissAlert)
    #expect(current == State(value: 1))
  }

  @Test func `case 7: ends each loading with its own operation`() async {
    send(.increase)
    await clock.advance(by: .milliseconds(200))
    send(.decrease)
    #expect(current?.loadingState == .increasing)
    await clock.advance(by: .milliseconds(300))
    #expect(current == State(value: 1, loadingState: .decreasing))
    await clock.advance(by: .milliseconds(500))
    #expect(current == State(value: 0))
  }

  @Test func `resets to zero`() async {
    send(.increase, .increase, .reset)
    await clock.advance(by: .seconds(1))
    #expect(current == State())
  }
}

struct `The synchronous counter` {
  private var counter = CounterSyncViewModel()

  @Test mutating func `case 1: counts, and shows that it was reset`() {
    counter.send(.increase)
    #expect((counter.state.value, counter.state.isReset) == (1, false))
    counter.send(.reset)
    #expect((counter.state.value, counter.state.isReset) == (0, true))
    counter.send(.decrease)
    #expect((counter.state.value, counter.state.isReset) == (-1, false))
  }

  @Test mutating func `case 2: alerts each time that it is asked to`() {
    counter.send(.show)
    counter.send(.show)
    #expect(counter.state.$showAlert.pulse == 2)
  }
}
