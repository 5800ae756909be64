import Testing
import UIFusionKit
import UIFusionTesting

struct `An engine with a synchronous view model` {
  private let recorder = Recorder { _ in Adder() }

  @Test func `starts at version 1 with the first State`() {
    #expect(recorder.states == [Adder.State(total: 0)])
    #expect(recorder.versions == [1])
  }

  @Test func `has processed an Input when submit returns`() {
    recorder.send(.add(2))
    #expect(recorder.states.map(\.total) == [0, 2])
    #expect(recorder.progress == ["it processed(isSettled: true)"])
  }

  @Test func `publishes all actions of one Input as one version`() {
    recorder.send(.twice(3))
    #expect(recorder.states.map(\.total) == [0, 6])
    #expect(recorder.versions == [1, 2])
  }

  @Test func `publishes nothing if State is unchanged`() {
    recorder.send(.nothing)
    recorder.send(.add(0))
    #expect(recorder.versions == [1])
    #expect(recorder.progress.count == 2)
  }

  @Test func `processes a batch without interruption, and answers once after its last Input`() {
    recorder.send(.add(1), .add(2), .add(3))
    #expect(recorder.states.map(\.total) == [0, 1, 3, 6])
    #expect(recorder.progress == ["it processed(isSettled: true)"])
  }

  @Test func `answers an empty batch with the current version`() {
    #expect(recorder.engine.submit(InputBatch([Adder.Input]())) == .accepted)
    #expect(recorder.versions == [1])
  }

  @Test func `refuses a whole batch whose condition on the version fails`() {
    recorder.send(.add(1))
    recorder.send(.add(10), .add(10), as: "stale", if: { $0 == 1 })
    recorder.send(.add(1), as: "current", if: { $0 == 2 })
    #expect(recorder.states.map(\.total) == [0, 1, 2])
    #expect(
      recorder.progress
        == ["it processed(isSettled: true)", "stale refused", "current processed(isSettled: true)"]
    )
  }

  @Test func `accepts nothing after closing`() {
    recorder.engine.close()
    #expect(recorder.send(.add(1)) == .closed)
    #expect(recorder.versions == [1])
  }

  @Test func `loses none of 1000 Inputs from 100 tasks`() async {
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { [recorder] in
          for _ in 0..<10 { recorder.send(.add(1)) }
        }
      }
    }
    await recorder.clock.idle()
    #expect(recorder.states.last?.total == 1000)
    #expect(recorder.versions == Array(1...1001))
    #expect(recorder.progress.count == 1000)
  }
}
