import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

struct `A delay` {
  @Test func `uses the injected clock, of whatever type`() async {
    let recorder = Recorder<Lab>()
    recorder.start(
      .sleepThen(for: .seconds(1), action: .note("a")),
      .debounce(id: "d", for: .seconds(1), .action(.note("b"))),
      .timer(id: "t", every: .seconds(1), action: .note("c")),
      .throttle(id: "s", for: .seconds(1), latest: true, .none),
      .throttle(id: "s", for: .seconds(1), latest: true, .action(.note("d")))
    )
    await recorder.clock.idle()
    #expect(recorder.clock.sleepers == 4)
    #expect(recorder.notes == [])
    await recorder.clock.advance(by: .seconds(1))
    #expect(recorder.notes.sorted() == ["a", "b", "c", "d"])
  }
}

/// The clock of a process that can be paused: time passes meanwhile, but no sleep ends.
private final class PausedTime: TimeSource {
  let clock = TestClock()
  private let paused = Mutex(Duration.zero)

  var now: Duration { clock.now + paused.withLock { $0 } }

  func pause(for duration: Duration) { paused.withLock { $0 += duration } }

  nonisolated(nonsending) func sleep(until deadline: Duration) async throws {
    try await clock.sleep(until: deadline - paused.withLock { $0 })
  }
}

/// A timer of one second that records when it ticks.
private final class RecordedTicks: Sendable {
  private let engine: Engine
  private let seen: Seen

  private final class Seen: Sendable {
    let ticks = Mutex<[Duration]>([])
  }

  init(_ time: PausedTime) {
    let seen = Seen()
    self.seen = seen
    var dependencies = time.clock.dependencies
    dependencies.time = time
    engine = Engine(
      dependencies,
      published: { (state: Lab.State, version) in
        if version > 1 { seen.ticks.withLock { $0.append(time.now) } }
      },
      { Lab() }
    )
  }

  var ticks: [Duration] { seen.ticks.withLock { $0 } }

  func begin() {
    let timer = Lab.Effect.timer(id: "t", every: .seconds(1), action: .note("tick"))
    _ = engine.submit(InputBatch([Lab.Input.start([timer])]))
  }
}

struct `A timer` {
  private let recorder = Recorder<Lab>()
  private var clock: TestClock { recorder.clock }

  @Test func `ticks after one interval, and then once per interval`() async {
    recorder.start(.timer(id: "t", every: .seconds(1), action: .note("tick")))
    await clock.idle()
    #expect(recorder.notes == [])
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes.count == 1)
    await clock.advance(by: .seconds(5))
    #expect(recorder.states.map(\.notes.count) == [0, 1, 2, 3, 4, 5, 6])
    recorder.start(.cancel(id: "t"))
    await clock.advance(by: .seconds(5))
    #expect(recorder.notes.count == 6)
  }

  @Test func `ticks once after a pause, and then at the next due time`() async {
    let time = PausedTime()
    let engine = RecordedTicks(time)
    engine.begin()
    await time.clock.idle()
    time.pause(for: .milliseconds(20_300))
    await time.clock.advance(by: .seconds(1))
    #expect(engine.ticks == [.milliseconds(21_300)])
    await time.clock.advance(by: .milliseconds(700))
    #expect(engine.ticks == [.milliseconds(21_300), .seconds(22)])
    await time.clock.advance(by: .seconds(1))
    #expect(engine.ticks.last == .seconds(23))
  }

  @Test func `starts the effects of a tick at once`() async {
    let tick = Lab.Action.start("tick", [.action(.note("fresh"))])
    recorder.start(.timer(id: "t", every: .seconds(5), action: tick))
    await clock.advance(by: .seconds(5))
    #expect(recorder.notes == ["tick", "fresh"])
  }

  @Test func `stops when one of its ticks cancels it`() async {
    let tick = Lab.Action.start("tick", [.cancel(id: "t")])
    recorder.start(.timer(id: "t", every: .seconds(1), action: tick))
    await clock.advance(by: .seconds(5))
    #expect(recorder.notes == ["tick"])
    #expect(clock.sleepers == 0)
  }

  @Test func `continues undisturbed when it is started again under the policy keep`() async {
    let timer = Lab.Effect.timer(
      id: "t",
      every: .seconds(2),
      policy: .keep,
      action: .note("tick")
    )
    recorder.start(timer)
    await clock.advance(by: .seconds(1))
    recorder.start(timer)
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["tick"])
    #expect(clock.sleepers == 1)
  }
}

struct `A debounce` {
  private let recorder = Recorder<Lab>()
  private var clock: TestClock { recorder.clock }

  @Test func `fires once, for the last of several calls in short succession`() async {
    for query in ["a", "ab", "abc"] {
      recorder.start(.debounce(id: "q", for: .milliseconds(300), .action(.note(query))))
      await clock.advance(by: .milliseconds(100))
    }
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["abc"])
  }

  @Test func `is replaced even while its effect runs`() async {
    let first = recorder.say("first", after: .milliseconds(200))
    recorder.start(.debounce(id: "q", for: .milliseconds(300), first))
    await clock.advance(by: .milliseconds(400))
    recorder.start(.debounce(id: "q", for: .milliseconds(300), .action(.note("second"))))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["second"])
  }

  @Test func `can be cancelled while it waits`() async {
    recorder.start(.debounce(id: "q", for: .milliseconds(300), .action(.note("a"))))
    recorder.start(.cancel(id: "q"))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == [])
    #expect(clock.sleepers == 0)
  }
}

struct `A throttle` {
  private let recorder = Recorder<Lab>()
  private var clock: TestClock { recorder.clock }

  private func throttled(_ note: String, latest: Bool) -> Lab.Effect {
    .throttle(id: "s", for: .seconds(1), latest: latest, .action(.note(note)))
  }

  @Test func `runs the first effect at once`() {
    recorder.start(throttled("a", latest: true))
    #expect(recorder.notes == ["a"])
  }

  @Test func `runs the last of the other effects when its window ends`() async {
    for note in ["a", "b", "c"] { recorder.start(throttled(note, latest: true)) }
    #expect(recorder.notes == ["a"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["a", "c"])
    recorder.start(throttled("d", latest: true))
    #expect(recorder.notes == ["a", "c"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["a", "c", "d"])
  }

  @Test func `drops the other effects unless the latest is wanted`() async {
    for note in ["a", "b"] { recorder.start(throttled(note, latest: false)) }
    await clock.advance(by: .seconds(1))
    recorder.start(throttled("c", latest: false))
    #expect(recorder.notes == ["a", "c"])
  }

  @Test func `drops the held effect and opens when it is cancelled`() async {
    for note in ["a", "b"] { recorder.start(throttled(note, latest: true)) }
    recorder.start(.cancel(id: "s"))
    recorder.start(throttled("c", latest: true))
    await clock.idle()
    #expect(recorder.notes == ["a", "c"])
    await clock.advance(by: .seconds(2))
    #expect(recorder.notes == ["a", "c"])
  }

  @Test(arguments: [EffectPolicy.replace, .keep, .queue(limit: 1)])
  func `does not interact with an effect of its own id`(policy: EffectPolicy) async {
    for note in ["a", "b"] {
      let run = Lab.Effect.runAction(id: "s", policy: policy) { .note(note) }
      recorder.start(.throttle(id: "s", for: .seconds(1), latest: true, run))
      await clock.idle()
    }
    #expect(recorder.notes == ["a"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["a", "b"])
  }

  @Test func `does not keep an effect of its id from starting`() async {
    recorder.start(throttled("a", latest: true))
    recorder.start(.runAction(id: "s", policy: .keep) { .note("b") })
    await clock.idle()
    #expect(recorder.notes == ["a", "b"])
  }
}
