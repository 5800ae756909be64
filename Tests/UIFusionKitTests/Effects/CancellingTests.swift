import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

struct `Cancelling an effect by its id` {
  private let recorder = Recorder<Lab>()
  private var clock: TestClock { recorder.clock }

  @Test func `drops all its later actions`() async {
    recorder.start(recorder.say("a", after: .seconds(1), id: "x"))
    recorder.start(.cancel(id: "x"))
    await clock.advance(by: .seconds(2))
    #expect(recorder.notes == [])
    #expect(clock.sleepers == 0)
  }

  @Test func `drops its later actions even if it ignores cancellation`() async {
    let error = SendableError(description: "late")
    recorder.start(recorder.sayAnyway("a", after: .seconds(1), id: "x", thenThrow: error))
    await clock.idle()
    recorder.start(.cancel(id: "x"))
    await clock.advance(by: .seconds(2))
    #expect(recorder.notes == [])
  }

  @Test func `works before the effect has started`() async {
    let ran = Flag()
    recorder.start(.run(id: "x") { _ in ran.set() }, .cancel(id: "x"))
    await clock.idle()
    #expect(recorder.progress == ["it processed(isSettled: true)"])
    recorder.start(.runAction(id: "y") { .note("y") }, .cancel(id: "x"))
    await clock.idle()
    #expect(recorder.notes == ["y"])
  }

  @Test func `drops its queued effects`() async {
    for note in ["a", "b"] {
      recorder.start(recorder.say(note, after: .seconds(1), id: "x", policy: .queue(limit: 1)))
    }
    recorder.start(.cancel(id: "x"))
    await clock.advance(by: .seconds(3))
    #expect(recorder.notes == [])
    #expect(recorder.progress.suffix(2) == ["it settled", "it settled"])
  }

  @Test func `drops an action that it has sent and that waits for room in the commit log`() async {
    let committer = Committer<Lab.State>()
    let engine = Engine(clock.dependencies, committer: committer, render: { StateValue($0) }) {
      Lab()
    }
    let canceller = recorder.wait(1, thenSend: .start("cancelled", [.cancel(id: "x")]))
    let cancelled = recorder.wait(2, thenSend: .note("x"), id: "x")
    _ = engine.submit(InputBatch([Lab.Input.start([canceller, cancelled])]))
    await clock.idle()
    committer.isFull = true
    await clock.advance(by: .seconds(2))
    #expect(committer.seen.withLock { $0.states.last?.notes } == [])
    committer.isFull = false
    engine.wake()
    await clock.idle()
    #expect(committer.seen.withLock { $0.states.last?.notes } == ["cancelled"])
    #expect(committer.seen.withLock { $0.settled } == [false, true])
  }

  @Test func `does not stop a newer effect of that id when the cancelled one ends`() async {
    recorder.start(recorder.sayAnyway("old", after: .seconds(1), id: "x"))
    await clock.idle()
    recorder.start(.cancel(id: "x"))
    recorder.start(recorder.say("new", after: .seconds(3), id: "x"))
    // By now the old effect has ended; the new one must still be known as running.
    await clock.advance(by: .seconds(2))
    recorder.start(recorder.say("kept out", after: .seconds(1), id: "x", policy: .keep))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["new"])
  }

  @Test func `still finds the newer effect after the replaced one has ended`() async {
    recorder.start(recorder.sayAnyway("old", after: .seconds(1), id: "x"))
    await clock.idle()
    recorder.start(recorder.say("new", after: .seconds(3), id: "x"))
    await clock.advance(by: .seconds(2))
    recorder.start(.cancel(id: "x"))
    await clock.advance(by: .seconds(2))
    #expect(recorder.notes == [])
  }

  @Test func `reaches single children of merge and concurrent`() async {
    recorder.start(
      .concurrent(
        recorder.say("a", after: .seconds(1), id: "a"),
        .merge(recorder.say("b", after: .seconds(1), id: "b"), .action(.note("after b"))),
        recorder.say("c", after: .seconds(1), id: "c")
      )
    )
    recorder.start(.cancel(id: "a"))
    recorder.start(.cancel(id: "b"))
    await clock.idle()
    #expect(recorder.notes == ["after b"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["after b", "c"])
  }

  @Test func `ends a group as a whole`() async {
    let group = Lab.Effect.merge(recorder.say("a", after: .seconds(1)), .action(.note("b")))
    recorder.start(.debounce(id: "x", for: .seconds(1), group))
    await clock.advance(by: .milliseconds(1500))
    recorder.start(.cancel(id: "x"))
    await clock.advance(by: .seconds(3))
    #expect(recorder.notes == [])
  }

  @Test func `spares an effect that only starts because of the cancellation`() async {
    let second = recorder.say("b", after: .seconds(1), id: "x")
    let queued = recorder.say("q", after: .seconds(1), id: "x", policy: .queue(limit: 1))
    recorder.start(recorder.say("a", after: .seconds(1), id: "x"))
    recorder.start(.merge(queued, second))
    recorder.start(.cancel(id: "x"))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["b"])
  }
}

struct `Cancelling a batch` {
  private let recorder = Recorder<Lab>()

  @Test func `ends the batch's effects, and leaves those of others`() async {
    let mine = InputBatch([Lab.Input.start([recorder.say("mine", after: .seconds(1))])])
    _ = recorder.engine.submit(mine)
    recorder.start(recorder.say("other", after: .seconds(1)))
    await recorder.engine.cancel(mine)
    await recorder.clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["other"])
  }

  @Test func `drops the batch's action that a throttle holds back`() async {
    func throttled(_ note: String) -> Lab.Effect {
      .throttle(id: "s", for: .seconds(1), latest: true, .action(.note(note)))
    }
    recorder.start(throttled("a"))
    let mine = InputBatch([Lab.Input.start([throttled("mine")])])
    _ = recorder.engine.submit(mine)
    await recorder.engine.cancel(mine)
    #expect(recorder.settled.last == true)
    await recorder.clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["a"])
  }
}
