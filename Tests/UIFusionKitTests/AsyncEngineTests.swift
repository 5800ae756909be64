import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

struct `An engine with an asynchronous view model` {
  private let recorder = Recorder { Writer(time: $0) }
  private var clock: TestClock { recorder.clock }

  @Test func `publishes whenever perform suspends, and at its end`() async {
    recorder.send(.write("a"))
    #expect(recorder.states.map(\.busy) == [nil, "a"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.states.map(\.busy) == [nil, "a", nil])
    #expect(recorder.states.map(\.text) == ["", "", "a"])
  }

  @Test func `answers at the first suspension, and again when settled`() async {
    recorder.send(.write("a"))
    #expect(recorder.progress == ["it processed(isSettled: false)"])
    #expect(recorder.settled == [false])
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress == ["it processed(isSettled: false)", "it settled"])
    #expect(recorder.settled == [false, true])
  }

  @Test func `runs one Input after another`() async {
    recorder.send(.write("a"), as: "a")
    recorder.send(.write("b"), as: "b")
    #expect(recorder.progress == ["a processed(isSettled: false)"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.states.last == Writer.State(text: "a", busy: "b"))
    await clock.advance(by: .seconds(1))
    #expect(recorder.states.last == Writer.State(text: "ab"))
    #expect(
      recorder.progress
        == [
          "a processed(isSettled: false)", "a settled", "b processed(isSettled: false)",
          "b settled",
        ]
    )
  }

  @Test func `starts an overlapping Input at once`() async {
    recorder.send(.write("a"))
    recorder.send(.peek, as: "peek")
    #expect(recorder.states.last == Writer.State(text: "?", busy: "a"))
    #expect(recorder.progress.last == "peek processed(isSettled: true)")
    await clock.advance(by: .seconds(1))
    #expect(recorder.states.last == Writer.State(text: "?a"))
  }

  @Test func `keeps order: an overlapping Input does not pass a waiting one`() async {
    recorder.send(.write("a"))
    recorder.send(.write("b"))
    recorder.send(.peek)
    await clock.advance(by: .seconds(1))
    #expect(recorder.states.last?.text == "a?")
    await clock.advance(by: .seconds(1))
    #expect(recorder.states.last?.text == "a?b")
  }

  @Test func `performs the actions of one Input in order`() async {
    recorder.send(.spell("xyz"))
    await clock.advance(by: .seconds(3))
    #expect(recorder.states.last?.text == "xyz")
    #expect(recorder.progress.last == "it settled")
  }

  @Test func `answers a batch when its last Input is processed`() async {
    recorder.send(.write("a"), .write("b"))
    #expect(recorder.progress == [])
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress == ["it processed(isSettled: false)"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.progress == ["it processed(isSettled: false)", "it settled"])
  }

  @Test func `passes an action's error to handleError once, and goes on with the next action`()
    async
  {
    recorder.send(.fail)
    #expect(recorder.states.last?.errors == ["Failure"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.states.last == Writer.State(text: "!", errors: ["Failure"]))
  }

  @Test func `does not treat cancellation as an error`() async {
    recorder.send(.quit)
    #expect(recorder.states.last?.errors == [])
    #expect(recorder.progress == ["it processed(isSettled: true)"])
  }

  @Test func `refuses Inputs once its queue is full`() async {
    let recorder = Recorder(mailboxLimit: 2) { Writer(time: $0) }
    #expect(recorder.send(.write("a")) == .accepted)
    #expect(recorder.send(.write("b"), .write("c")) == .accepted)
    #expect(recorder.send(.write("d")) == .full)
    await recorder.clock.advance(by: .seconds(1))
    #expect(recorder.send(.write("e")) == .accepted)
    await recorder.clock.advance(by: .seconds(3))
    #expect(recorder.states.last?.text == "abce")
  }

  @Test func `accepts a batch of any length if its queue is empty`() async {
    let recorder = Recorder(mailboxLimit: 2) { Writer(time: $0) }
    #expect(recorder.send(.write("a"), .write("b"), .write("c"), .write("d")) == .accepted)
    #expect(recorder.send(.write("e")) == .full)
    await recorder.clock.advance(by: .seconds(4))
    #expect(recorder.states.last?.text == "abcd")
  }

  @Test func `loses none of 1000 Inputs from 100 tasks`() async {
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { [recorder] in
          for _ in 0..<10 { recorder.send(.write("x")) }
        }
      }
    }
    await clock.advance(by: .seconds(1000))
    #expect(recorder.states.last?.text.count == 1000)
    #expect(recorder.versions == Array(1...recorder.versions.count))
    #expect(recorder.progress.count { $0.hasSuffix("settled") } == 1000)
  }
}

struct `Closing an engine` {
  @Test func `cancels the running Input, answers the waiting ones, and frees the view model`() async
  {
    let freed = Flag()
    let recorder = Recorder { Writer(time: $0, freed: freed.set) }
    recorder.send(.write("a"), as: "running")
    recorder.send(.write("b"), as: "waiting")
    recorder.engine.close()
    await recorder.clock.idle()
    #expect(recorder.clock.sleepers == 0)
    #expect(freed.isSet)
    #expect(
      recorder.progress
        == ["running processed(isSettled: false)", "running abandoned", "waiting closed"]
    )
  }

  @Test func `during an Input processes no further Input, and answers each with closed`() async {
    let hook = Mutex<@Sendable () -> Void>({})
    let recorder = Recorder { _ in Hooked { hook.withLock { $0 }() } }
    hook.withLock { hook in
      hook = {
        recorder.send(.count, as: "b")
        recorder.send(.count, as: "c")
        recorder.engine.close()
      }
    }
    recorder.send(.call, as: "a")
    await recorder.clock.idle()
    #expect(recorder.progress.filter { !$0.hasPrefix("a") } == ["b closed", "c closed"])
    hook.withLock { $0 = {} }
  }

  @Test func `never acknowledges an Input that was not performed`() async {
    for _ in 0..<300 {
      let recorder = Recorder { _ in Hooked {} }
      let closing = Task.detached { recorder.engine.close() }
      recorder.send(.count)
      await closing.value
      await recorder.clock.idle()
      let wasProcessed = recorder.progress.contains { $0.hasPrefix("it processed") }
      #expect(!wasProcessed || recorder.versions == [1, 2])
    }
  }

  @Test(arguments: 1..<20)
  func `during any of several Inputs answers those up to it as processed, the rest as closed`(
    place: Int
  ) async {
    let hook = Mutex<@Sendable (Int) -> Void>({ _ in })
    let recorder = Recorder { _ in Calling { number in hook.withLock { $0 }(number) } }
    hook.withLock { hook in
      hook = { number in
        if number == 0 { for next in 1..<20 { recorder.send(next, as: "\(next)") } }
        if number == place { recorder.engine.close() }
      }
    }
    recorder.send(0, as: "0")
    await recorder.clock.idle()
    hook.withLock { $0 = { _ in } }
    let told = Set(recorder.progress.filter { $0.contains("processed") || $0.contains("closed") })
    let processed = (0...place).map { "\($0) processed(isSettled: false)" }
    #expect(told == Set(processed + (place + 1..<20).map { "\($0) closed" }))
  }

  @Test func `releases an Input that was about to begin`() async {
    let hook = Mutex<@Sendable () -> Void>({})
    let recorder = Recorder { _ in Hooked(policy: .overlapping) { hook.withLock { $0 }() } }
    let engine = recorder.engine
    hook.withLock { $0 = { engine.close() } }
    let told = Mutex<[InputBatch.Progress]>([])
    let freed = Flag()
    do {
      let life = EveryLife(freed)
      let inputs: [Hooked.Input] = [.call, .count]
      _ = engine.submit(
        InputBatch(
          inputs,
          progress: { step in
            withExtendedLifetime(life) { told.withLock { $0.append(step) } }
          }
        )
      )
    }
    await recorder.clock.idle()
    #expect(told.withLock { $0 } == [.closed])
    // The engine still exists; the batch does not.
    #expect(freed.isSet)
    hook.withLock { $0 = {} }
    withExtendedLifetime(engine) {}
  }

  @Test func `publishes nothing afterwards`() async {
    let recorder = Recorder { Writer(time: $0) }
    recorder.send(.write("a"))
    let versions = recorder.versions
    recorder.engine.close()
    await recorder.clock.advance(by: .seconds(2))
    #expect(recorder.versions == versions)
    #expect(recorder.states.last?.errors == [])
  }

  @Test func `is not needed to free an idle view model: releasing the engine is enough`() {
    let freed = Flag()
    do {
      let recorder = Recorder { Writer(time: $0, freed: freed.set) }
      #expect(recorder.versions == [1])
    }
    #expect(freed.isSet)
  }
}
