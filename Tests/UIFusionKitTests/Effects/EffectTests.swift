import Testing
import UIFusionKit
import UIFusionTesting

struct `An effect` {
  private let recorder = Recorder<Lab>()
  private var clock: TestClock { recorder.clock }

  @Test func `none does nothing`() {
    recorder.start(.none)
    #expect(recorder.progress == ["it processed(isSettled: true)"])
    #expect(recorder.versions == [1])
  }

  @Test func `action is processed as a turn of its own`() {
    recorder.start(.action(.note("a")))
    #expect(recorder.notes == ["a"])
    #expect(recorder.progress == ["it processed(isSettled: true)"])
  }

  @Test func `starts after the turn that returned it, breadth first`() {
    recorder.send(
      .all([
        .start("one", []),
        .start(
          "two",
          [.action(.start("three", [.action(.note("five"))])), .action(.note("four"))]
        ),
      ])
    )
    #expect(
      recorder.states.map(\.notes) == [
        [],
        ["one", "two"],
        ["one", "two", "three"],
        ["one", "two", "three", "four"],
        ["one", "two", "three", "four", "five"],
      ]
    )
  }

  @Test func `run sends any number of actions, each as a turn`() async {
    recorder.start(
      .run { [clock] send in
        await send(.note("a"))
        try await clock.sleep(for: .seconds(1))
        await send(.note("b"))
        await send(.note("c"))
      }
    )
    await clock.idle()
    #expect(recorder.notes == ["a"])
    await clock.advance(by: .seconds(1))
    #expect(recorder.states.map(\.notes.count) == [0, 1, 2, 3])
  }

  @Test func `runAction ends with one action, or with none`() async {
    recorder.start(recorder.say("a", after: .seconds(1)), .runAction { nil })
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["a"])
    #expect(recorder.progress.last == "it settled")
  }

  @Test func `runCatchingError turns an error into an action, and ignores cancellation`() async {
    let caught: @Sendable (SendableError) -> Lab.Action = { .note("caught \($0.code)") }
    recorder.start(
      .runCatchingError(errorAction: caught) { throw SendableError(description: "x", code: 7) }
    )
    await clock.idle()
    recorder.start(.runCatchingError(errorAction: caught) { throw CancellationError() })
    await clock.idle()
    recorder.start(.runCatchingError(errorAction: caught) { .note("fine") })
    await clock.idle()
    #expect(recorder.notes == ["caught 7", "fine"])
  }

  @Test func `sleepThen sends its action after the duration`() async {
    recorder.start(.sleepThen(for: .seconds(2), action: .note("a")))
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == [])
    await clock.advance(by: .seconds(1))
    #expect(recorder.notes == ["a"])
  }

  @Test func `merge starts each effect when the one before it has ended`() async {
    recorder.start(
      .merge(
        recorder.say("A", after: .milliseconds(200)),
        recorder.say("B", after: .milliseconds(50)),
        .action(.note("C"))
      )
    )
    await clock.advance(by: .milliseconds(199))
    #expect(recorder.notes == [])
    await clock.advance(by: .milliseconds(1))
    #expect(recorder.notes == ["A"])
    await clock.advance(by: .milliseconds(50))
    #expect(recorder.notes == ["A", "B", "C"])
  }

  @Test func `concurrent starts all at once, and each sends when it finishes`() async {
    recorder.start(
      .concurrent(
        recorder.say("A", after: .milliseconds(200)),
        recorder.say("B", after: .milliseconds(50))
      )
    )
    await clock.advance(by: .milliseconds(50))
    #expect(recorder.notes == ["B"])
    await clock.advance(by: .milliseconds(150))
    #expect(recorder.notes == ["B", "A"])
  }

  @Test func `does not delay Inputs, in a merge or concurrently`() async {
    recorder.start(.concurrent(recorder.say("A", after: .seconds(1))))
    recorder.start(.merge(recorder.say("B", after: .seconds(2))))
    recorder.send(.note("input"))
    #expect(recorder.notes == ["input"])
    await clock.advance(by: .seconds(2))
    #expect(recorder.notes == ["input", "A", "B"])
  }

  @Test func `that sends endlessly does not block Inputs`() async {
    recorder.start(
      .run { [recorder] send in
        for number in 0..<200 {
          if number == 10 { recorder.send(.note("input")) }
          await send(.note("\(number)"))
        }
      }
    )
    await clock.idle()
    #expect(recorder.notes.count == 201)
    #expect((recorder.notes.firstIndex(of: "input") ?? .max) <= 12)
  }

  @Test func `that restarts itself endlessly does not block other effects`() async {
    recorder.start(.action(.again(100_000)), .run { send in await send(.note("beside")) })
    await clock.idle()
    let arrival = recorder.states.first { $0.notes == ["beside"] }
    #expect((arrival?.rounds ?? .max) < 50_000)
    #expect(recorder.states.last?.rounds == 100_000)
  }

  @Test func `is not lost among those of 1000 Inputs from 100 tasks`() async {
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { [recorder] in
          for _ in 0..<10 { recorder.start(.action(.again(1))) }
        }
      }
    }
    await clock.idle()
    #expect(recorder.states.last?.rounds == 1000)
    #expect(recorder.versions == Array(1...1001))
  }

  @Test func `merge keeps the order of many actions`() async {
    let effects = (0..<1000).map { Lab.Effect.action(.note("\($0)")) }
    recorder.start(.merge(effects))
    await clock.idle()
    #expect(recorder.notes == (0..<1000).map { "\($0)" })
  }
}
