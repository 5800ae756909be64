import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

/// Durations as clients may send them, from the shortest to the longest and below zero.
private let extremes: [Duration] = {
  let random = RandomSource(seed: 40)
  let edges: [Int128] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
  let powers = (0..<38).map { Int128(pow(10.0, Double($0))) }
  let some = (0..<40).map { _ in
    Int128(Int64(bitPattern: random.next())) << Int128(random.number(in: 0...63))
  }
  return (edges + powers + powers.map { -$0 } + some).map { Duration(attoseconds: $0) }
}()

struct `A time that a client has sent` {
  @Test(arguments: extremes)
  func `is waited for by every effect, or not at all, and ends nothing`(time: Duration) async {
    let recorder = Recorder<Lab>()
    await recorder.clock.advance(by: .seconds(5))
    recorder.start(
      .sleepThen(for: time, action: .note("slept")),
      .debounce(id: "d", for: time, .action(.note("debounced"))),
      .throttle(id: "s", for: time, latest: true, .none),
      .throttle(id: "s", for: time, latest: true, .action(.note("throttled"))),
      .run { [clock = recorder.clock] send in
        try await clock.sleep(for: time)
        await send(.note("waited"))
      }
    )
    await recorder.clock.idle()
    let isOver = time <= .zero
    let all = ["debounced", "slept", "throttled", "waited"]
    #expect(recorder.notes.sorted() == (isOver ? all : []))
    await recorder.clock.advance(by: Duration(attoseconds: .max))
    #expect(recorder.notes.sorted() == all)
  }

  @Test(arguments: extremes)
  func `is a timer's interval, or an error that says why not`(time: Duration) async {
    let recorder = Recorder<Lab>()
    recorder.start(.timer(id: "t", every: time, action: .note("tick")))
    await recorder.clock.idle()
    if time > .zero {
      #expect(recorder.notes == [] && recorder.clock.sleepers == 1)
    } else {
      #expect(recorder.notes.count == 1 && recorder.clock.sleepers == 0)
      let text = "failed: the interval of a timer must be longer than zero, and this one is \(time)"
      #expect(recorder.notes.first?.hasPrefix(text) == true)
    }
  }

  @Test func `may be longer than the machine's clock counts`() async {
    for time in extremes where time > .seconds(1_000_000) || time <= .zero {
      let sleep = Task { try await SystemTime().sleep(until: time) }
      if time > .zero { sleep.cancel() }
      let result = await sleep.result
      #expect((try? result.get()) == nil || time <= .zero)
    }
  }

  @Test(arguments: [
    -.infinity, -1e300, -62_200_000_000, -1, 0, 253_402_300_799, 1e18, 1e300, .infinity, .nan,
  ])
  func `is when an alarm rings, at the latest in the year 9999`(seconds: Double) async {
    let clock = TestClock(date: Date(timeIntervalSince1970: 1_000))
    let recorder = Recorder(clock: clock) { _ in Alarming() }
    recorder.send(.at(seconds))
    await clock.idle()
    #expect(recorder.states.last?.rings == (seconds > 1_000 ? 0 : 1))
    await clock.advance(by: .seconds(253_402_300_800))
    #expect(recorder.states.last?.rings == 1)
  }

  @Test(arguments: extremes)
  func `is when an alarm rings after that`(time: Duration) async {
    let recorder = Recorder { _ in Alarming() }
    recorder.send(.after(time))
    await recorder.clock.idle()
    #expect(recorder.states.last?.rings == (time > .microseconds(1) ? 0 : 1))
    await recorder.clock.advance(by: .seconds(253_402_300_800))
    #expect(recorder.states.last?.rings == 1)
  }

  @Test(arguments: [1, 1.000_001, 1.5, 7, 500, 999, 999.999, 1_000, 1_001, 1_999.5, 2_000])
  func `is when an alarm rings after that: in the next whole millisecond`(microseconds: Double)
    async
  {
    let recorder = Recorder { _ in Alarming() }
    recorder.send(.after(.nanoseconds(microseconds * 1_000)))
    await recorder.clock.idle()
    // A microsecond, the precision of a date, is not waited for.
    let due = ((microseconds - 1) / 1_000).rounded(.up)
    if due > 0 {
      await recorder.clock.advance(by: .milliseconds(due - 1))
      #expect(recorder.states.last?.rings == 0)
      // A date that lacks a fraction of a microsecond is a millisecond too early.
      await recorder.clock.advance(by: .milliseconds(2))
    }
    #expect(recorder.states.last?.rings == 1)
  }

  @Test(arguments: [-.infinity, -1e300, -1e13, 1e13, 1e300, .infinity, .nan])
  func `may be the machine's date`(seconds: Double) async {
    let clock = TestClock()
    var dependencies = clock.dependencies
    dependencies.date = { Date(timeIntervalSince1970: seconds) }
    let engine = Engine(dependencies, published: { (_: Alarming.State, _) in }, { Alarming() })
    _ = engine.submit(InputBatch([Alarming.Input.after(.seconds(1))]))
    await clock.advance(by: .seconds(600_000_000_000))
    engine.close()
  }
}

/// Sets an alarm, and counts how often it rings.
private struct Alarming: ReducerViewModel {
  enum Input: Sendable { case at(Double), after(Duration) }
  enum Action: Codable, Equatable, Sendable { case at(Double), after(Duration), rang }
  struct State: Equatable, Sendable { var rings = 0 }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .at(let seconds): [.at(seconds)]
    case .after(let time): [.after(time)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .at(let seconds): return [.alarm(id: "a", at: Date(timeIntervalSince1970: seconds), .rang)]
    case .after(let time): return [.alarm(id: "a", after: time, .rang)]
    case .rang: state.rings += 1
    }
    return []
  }
}
