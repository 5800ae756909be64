import Testing
import UIFusionKit
import UIFusionTesting

struct `An effect whose id is already running` {
  private let recorder = Recorder<Lab>()
  private var clock: TestClock { recorder.clock }

  @Test func `replaces the running one by default`() async {
    recorder.start(recorder.say("first", after: .milliseconds(200), id: "x"))
    await clock.advance(by: .milliseconds(100))
    recorder.start(recorder.say("second", after: .milliseconds(200), id: "x"))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["second"])
  }

  @Test func `replaces the running one even if that ignores cancellation`() async {
    recorder.start(recorder.sayAnyway("first", after: .milliseconds(200), id: "x"))
    await clock.idle()
    recorder.start(recorder.say("second", after: .milliseconds(100), id: "x"))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["second"])
  }

  @Test func `is dropped under the policy keep`() async {
    recorder.start(recorder.say("first", after: .milliseconds(200), id: "x", policy: .keep))
    recorder.start(recorder.say("second", after: .milliseconds(100), id: "x", policy: .keep))
    await clock.advance(by: .seconds(1))
    recorder.start(recorder.say("third", after: .milliseconds(100), id: "x", policy: .keep))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["first", "third"])
  }

  @Test func `waits under the policy queue, and is dropped beyond the limit`() async {
    for note in ["a", "b", "c", "d"] {
      recorder.start(
        recorder.say(note, after: .milliseconds(100), id: "x", policy: .queue(limit: 2))
      )
    }
    for expected in [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c"]] {
      await clock.advance(by: .milliseconds(100))
      #expect(recorder.notes == expected)
    }
  }

  @Test func `delays the rest of its merge while it waits in a queue`() async {
    let queued = recorder.say("b", after: .milliseconds(50), id: "x", policy: .queue(limit: 1))
    recorder.start(recorder.say("a", after: .milliseconds(100), id: "x"))
    recorder.start(.merge(queued, .action(.note("c"))))
    await clock.advance(by: .milliseconds(149))
    #expect(recorder.notes == ["a"])
    await clock.advance(by: .milliseconds(1))
    #expect(recorder.notes == ["a", "b", "c"])
  }

  @Test func `replaces queued effects, too`() async {
    for note in ["a", "b"] {
      recorder.start(
        recorder.say(note, after: .milliseconds(100), id: "x", policy: .queue(limit: 2))
      )
    }
    recorder.start(recorder.say("c", after: .milliseconds(100), id: "x"))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["c"])
  }

  @Test func `also replaces the effect that a replaced one's merge would start next`() async {
    recorder.start(
      .merge(
        recorder.say("a", after: .milliseconds(100), id: "x"),
        recorder.say("b", after: .milliseconds(100), id: "x")
      )
    )
    recorder.start(recorder.say("c", after: .milliseconds(100), id: "x"))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["c"])
  }

  @Test func `waits for others in a group with its own id, but not for that group`() async {
    recorder.start(
      .debounce(
        id: "x",
        for: .milliseconds(100),
        .concurrent(
          recorder.say("a", after: .milliseconds(100), id: "x", policy: .queue(limit: 1)),
          recorder.say("b", after: .milliseconds(100), id: "x", policy: .queue(limit: 1))
        )
      )
    )
    await clock.advance(by: .milliseconds(200))
    #expect(recorder.notes == ["a"])
    await clock.advance(by: .milliseconds(100))
    #expect(recorder.notes == ["a", "b"])
    #expect(recorder.progress.last == "it settled")
  }
}
