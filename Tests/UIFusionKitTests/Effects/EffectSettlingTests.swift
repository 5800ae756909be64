import Testing
import UIFusionKit
import UIFusionTesting

/// The moment that the sender of an Input waits for.
struct `An Input settles` {
  private let recorder = Recorder<Lab>()
  private var clock: TestClock { recorder.clock }

  @Test func `when its effects have ended, and those of the actions that they sent`() async {
    let second = recorder.say("b", after: .seconds(1))
    recorder.start(
      .runAction { [clock] in
        try await clock.sleep(for: .seconds(1))
        return .start("a", [second])
      }
    )
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress == ["it processed(isSettled: false)"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress == ["it processed(isSettled: false)", "it settled"])
    #expect(recorder.settled == [false, true])
  }

  @Test func `when the effects of its immediate actions have ended`() async {
    recorder.start(.action(.start("a", [recorder.say("b", after: .seconds(1))])))
    #expect(recorder.progress == ["it processed(isSettled: false)"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress == ["it processed(isSettled: false)", "it settled"])
  }

  @Test func `whatever effects other Inputs have started`() async {
    recorder.start(recorder.say("a", after: .seconds(1)), as: "short")
    recorder.start(recorder.say("b", after: .seconds(2)), as: "long")
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress.last == "short settled")
    #expect(recorder.settled == [false])
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress.last == "long settled")
    #expect(recorder.settled == [false, true])
  }

  @Test func `when its effects are cancelled`() {
    recorder.start(recorder.say("a", after: .seconds(1), id: "x"), as: "a")
    recorder.start(.cancel(id: "x"), as: "b")
    #expect(
      recorder.progress.sorted()
        == ["a processed(isSettled: false)", "a settled", "b processed(isSettled: true)"]
    )
  }

  @Test func `only after its throttled and queued effects have ended`() async {
    func throttled(_ note: String) -> Lab.Effect {
      .throttle(id: "s", for: .seconds(1), latest: true, .action(.note(note)))
    }
    recorder.start(throttled("a"), as: "first")
    recorder.start(throttled("b"), as: "second")
    #expect(
      recorder.progress == [
        "first processed(isSettled: true)", "second processed(isSettled: false)",
      ]
    )
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress.last == "second settled")
  }

  @Test func `without waiting for timers and their ticks`() async {
    let tick = Lab.Action.start("tick", [recorder.say("slow", after: .seconds(9))])
    recorder.start(.timer(id: "t", every: .seconds(1), action: tick))
    #expect(recorder.progress == ["it processed(isSettled: true)"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["tick"])
    #expect(recorder.settled == [])
  }

  @Test func `without waiting for background effects`() async {
    let slow = recorder.say("slow", after: .seconds(9))
    recorder.start(
      .run(background: true) { [clock] send in
        await send(.start("a", [slow]))
        try await clock.sleep(for: .seconds(9))
      }
    )
    await clock.idle()
    #expect(recorder.notes == ["a"])
    #expect(recorder.progress == ["it processed(isSettled: true)"])
    #expect(recorder.settled == [])
  }

  @Test func `without waiting for several timers, or for one behind a debounce`() async {
    func timer(_ id: String) -> Lab.Effect {
      .timer(id: id, every: .seconds(1), action: .note(id))
    }
    recorder.start(.concurrent(timer("a"), timer("b")), .merge(timer("c")))
    #expect(recorder.progress == ["it processed(isSettled: true)"])
    recorder.start(.debounce(id: "d", for: .seconds(1), timer("e")), as: "debounced")
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress.last == "debounced settled")
  }
}
