import Testing
import UIFusionKit
import UIFusionTesting

/// The guarantees of all four patterns, on view models that count to 1,000 and that wait.
struct `Every pattern` {
  enum Step { case add, wait }

  struct Count: Equatable { var count = 0 }

  struct Synchronous: ViewModelProtocol {
    typealias Input = Step
    typealias Action = Step
    typealias State = Count
    var state = Count()
    func transform(_ input: Step) -> [Step] { [input] }
    mutating func perform(_ action: Step) { state.count += 1 }
  }

  final class Asynchronous: AsyncViewModel {
    typealias Input = Step
    typealias Action = Step
    typealias State = Count
    var state = Count()
    let time: any TimeSource
    let life: Life

    init(time: any TimeSource, life: Life) { (self.time, self.life) = (time, life) }

    func transform(_ input: Step) async -> [Step] { [input] }

    func perform(_ action: Step) async throws {
      // Reads, waits and writes: a change made during the wait must not be lost.
      let count = state.count
      if action == .wait { try await time.sleep(for: .seconds(3600)) } else { await Task.yield() }
      state.count = count + 1
    }

    func handleError(_ error: SendableError) async {}
  }

  struct Reducing: ReducerViewModel {
    typealias Input = Step
    typealias Action = Step
    typealias State = Count
    var state = Count()
    let life: Life

    func transform(_ input: Step) -> [Step] { [input] }

    func reduce(state: inout Count, action: Step) -> [AsyncEffect<Step>] {
      if action == .wait { return [.timer(id: "timer", every: .seconds(1), action: .add)] }
      state.count += 1
      return []
    }
  }

  final class Mutating: AsyncReactor {
    typealias Input = Step
    typealias Mutation = Step
    typealias State = Count
    var currentState = Count()
    let time: any TimeSource
    let life: Life

    init(time: any TimeSource, life: Life) { (self.time, self.life) = (time, life) }

    func reduce(_ input: Step) async -> Step {
      if input == .wait { try? await time.sleep(for: .seconds(3600)) }
      return input
    }

    func mutate(_ state: Count, mutation: Step) async -> Count {
      await Task.yield()
      return Count(count: state.count + 1)
    }
  }

  /// Reports when its last reference is released.
  final class Life: Sendable {
    let ended = Flag()
    deinit { ended.set() }
  }

  private func count<Model: ViewModel>(
    _ recorder: Recorder<Model>
  ) async -> (last: Count?, versions: [Int], answers: Int)
  where Model.Input == Step, Model.State == Count {
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask { for _ in 0..<10 { recorder.send(.add) } }
      }
    }
    await recorder.clock.idle()
    return (
      recorder.states.last, recorder.versions, recorder.progress.count { $0.contains("processed") }
    )
  }

  @Test func `case 29: counts 1,000 Inputs from 100 tasks, versions growing by one`() async {
    for (last, versions, answers) in [
      await count(Recorder { _ in Synchronous() }),
      await count(Recorder { Asynchronous(time: $0, life: Life()) }),
      await count(Recorder { _ in Reducing(life: Life()) }),
      await count(Recorder { Mutating(time: $0, life: Life()) }),
    ] {
      #expect(last == Count(count: 1000))
      #expect(versions == Array(1...1001))
      #expect(answers == 1000)
    }
  }

  private func close<Model: ViewModel>(
    _ make: (_ life: Life) -> Recorder<Model>
  ) async -> (isFreed: Bool, sleepers: Int, versions: Int)
  where Model.Input == Step, Model.State == Count {
    let (recorder, ended) = {
      let life = Life()
      return (make(life), life.ended)
    }()
    recorder.send(.wait)
    await recorder.clock.advance(by: .seconds(3))
    let versions = recorder.versions.count
    recorder.engine.close()
    await recorder.clock.advance(by: .seconds(10_000))
    return (ended.isSet, recorder.clock.sleepers, recorder.versions.count - versions)
  }

  @Test func `case 30: closed while it works, cancels, sends nothing more and is freed`() async {
    for (isFreed, sleepers, versions) in [
      await close { life in Recorder { Asynchronous(time: $0, life: life) } },
      await close { life in Recorder { _ in Reducing(life: life) } },
      await close { life in Recorder { Mutating(time: $0, life: life) } },
    ] {
      #expect(isFreed)
      #expect(sleepers == 0)
      #expect(versions == 0)
    }
  }

  @Test func `starts from scratch in each session, whatever was stored at its address before`()
    async
  {
    for _ in 0..<100 {
      let recorder = Recorder { Mutating(time: $0, life: Life()) }
      #expect(recorder.states == [Count()])
      recorder.send(.add)
      await recorder.clock.idle()
      recorder.engine.close()
    }
  }
}
