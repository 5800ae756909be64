import Testing
import UIFusionKit
import UIFusionTesting

struct `A closed engine` {
  private let freed = Flag()

  private func makeRecorder() -> Recorder<Lab> {
    Recorder { [freed] _ in Lab(life: Lab.Life(freed.set)) }
  }

  @Test func `cancels every kind of effect, sends nothing more, and frees its view model`() async {
    let recorder = makeRecorder()
    recorder.start(
      recorder.say("a", after: .seconds(1)),
      recorder.sayAnyway("b", after: .seconds(1), id: "b"),
      .timer(id: "t", every: .seconds(1), action: .note("tick")),
      .debounce(id: "d", for: .seconds(1), .action(.note("d"))),
      .throttle(id: "s", for: .seconds(1), latest: true, .none),
      .throttle(id: "s", for: .seconds(1), latest: true, .action(.note("s")))
    )
    await recorder.clock.idle()
    recorder.engine.close()
    #expect(freed.isSet)
    await recorder.clock.advance(by: .seconds(2))
    #expect(recorder.notes == [])
    #expect(recorder.clock.sleepers == 0)
    #expect(recorder.progress == ["it processed(isSettled: false)", "it abandoned"])
  }

  @Test func `ignores an action that arrives late`() async {
    let recorder = makeRecorder()
    recorder.start(recorder.sayAnyway("late", after: .seconds(1), id: "x"))
    await recorder.clock.idle()
    recorder.engine.close()
    await recorder.clock.advance(by: .seconds(1))
    #expect(recorder.notes == [])
  }
}

struct `A running timer` {
  @Test func `keeps neither its engine nor its view model alive`() async {
    let freed = Flag()
    let clock = TestClock()
    do {
      let recorder = Recorder(clock: clock) { _ in Lab(life: Lab.Life(freed.set)) }
      recorder.start(.timer(id: "t", every: .seconds(1), action: .note("tick")))
      await clock.idle()
      #expect(clock.sleepers == 1)
    }
    // The engine is released, and the timer with it.
    await clock.idle()
    #expect(freed.isSet)
    #expect(clock.sleepers == 0)
  }
}
