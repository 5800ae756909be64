import Testing
import UIFusionKit
import UIFusionTesting

/// View models whose State is a list of the actions that they have performed.
struct `A restored view model` {
  struct Synchronous: ViewModelProtocol {
    var state = ["new"]
    func restored(_ interrupted: Interrupted) -> [String] { actions(after: interrupted) }
    func transform(_ input: String) -> [String] { [input] }
    mutating func perform(_ action: String) { state.append(action) }
  }

  final class Asynchronous: AsyncViewModel {
    struct Failure: Error {}
    var state = ["new"]
    let time: any TimeSource
    init(time: any TimeSource) { self.time = time }
    func restored(_ interrupted: Interrupted) -> [String] { actions(after: interrupted) }
    func policy(for input: String) -> InputPolicy { input == "beside" ? .overlapping : .inOrder }
    func transform(_ input: String) async -> [String] { [input] }
    func perform(_ action: String) async throws {
      if action == "fail" { throw Failure() }
      if action == "wait" { try await time.sleep(for: .seconds(1)) }
      state.append(action)
    }
    func handleError(_ error: SendableError) async { state.append(error.typeName) }
  }

  struct Reducing: ReducerViewModel {
    var state = ["new"]
    func restored(_ interrupted: Interrupted) -> [String] { actions(after: interrupted) }
    func transform(_ input: String) -> [String] { [input] }
    func reduce(state: inout [String], action: String) -> [AsyncEffect<String>] {
      state.append(action)
      return action == "wait" ? [.sleepThen(for: .seconds(1), action: "waited")] : []
    }
  }

  final class Mutating: AsyncReactor {
    typealias Mutation = String
    var currentState = ["new"]
    func restored(_ interrupted: Interrupted) -> [String] { actions(after: interrupted) }
    func reduce(_ input: String) async -> String { input }
    func mutate(_ state: [String], mutation: String) async -> [String] { state + [mutation] }
  }

  private func comeBack<Model: ViewModel>(
    _ comeback: Comeback<Model>,
    _ interrupted: Interrupted
  ) async -> (states: [[String]], versions: [Int]) where Model.State == [String] {
    await comeback.resume(interrupted)
    comeback.send("x")
    await comeback.clock.idle()
    return (comeback.states, comeback.versions)
  }

  @Test func `continues in one turn, from the stored State and version`() async {
    for (states, versions) in [
      await comeBack(Comeback(from: ["old"]) { _ in Synchronous() }, Interrupted(ids: "job")),
      await comeBack(Comeback(from: ["old"]) { _ in Reducing() }, Interrupted(ids: "job")),
    ] {
      #expect(states == [["old"], ["old", "a", "b"], ["old", "a", "b", "x"]])
      #expect(versions == [7, 8, 9])
    }
  }

  @Test func `continues action by action if each may suspend`() async {
    for (states, versions) in [
      await comeBack(
        Comeback(from: ["old"]) { Asynchronous(time: $0) },
        Interrupted(ids: "job")
      ),
      await comeBack(Comeback(from: ["old"]) { _ in Mutating() }, Interrupted(ids: "job")),
    ] {
      #expect(
        states == [["old"], ["old", "a"], ["old", "a", "b"], ["old", "a", "b", "x"]]
      )
      #expect(versions == [7, 8, 9, 10])
    }
  }

  @Test func `publishes no new version if it has nothing to do`() async {
    for (states, versions) in [
      await comeBack(Comeback(from: ["old"]) { _ in Synchronous() }, Interrupted()),
      await comeBack(Comeback(from: ["old"]) { Asynchronous(time: $0) }, Interrupted()),
      await comeBack(Comeback(from: ["old"]) { _ in Reducing() }, Interrupted()),
      await comeBack(Comeback(from: ["old"]) { _ in Mutating() }, Interrupted()),
    ] {
      #expect(states == [["old"], ["old", "x"]])
      #expect(versions == [7, 8])
    }
  }

  @Test func `is not asked to continue if the session is new`() async {
    let comeback = Comeback(from: nil) { _ in Synchronous() }
    comeback.send("x")
    #expect(comeback.states == [["new"], ["new", "x"]])
    #expect(comeback.versions == [1, 2])
  }

  private func overtake<Model: ViewModel>(_ comeback: Comeback<Model>) async -> [String]?
  where Model.State == [String] {
    comeback.engine.prepare(.restored(Interrupted(ids: "job")))
    comeback.send("x")
    comeback.engine.resume()
    await comeback.clock.idle()
    return comeback.states.last
  }

  @Test func `continues before any Input, even one sent earlier`() async {
    for state in [
      await overtake(Comeback(from: ["old"]) { _ in Synchronous() }),
      await overtake(Comeback(from: ["old"]) { Asynchronous(time: $0) }),
      await overtake(Comeback(from: ["old"]) { _ in Reducing() }),
      await overtake(Comeback(from: ["old"]) { _ in Mutating() }),
    ] {
      #expect(state == ["old", "a", "b", "x"])
    }
  }

  @Test func `begins to continue before an overlapping Input`() async {
    let comeback = Comeback(from: ["old"]) { Asynchronous(time: $0) }
    comeback.engine.prepare(.restored(Interrupted(ids: "job", "slow")))
    comeback.engine.resume()
    comeback.send("beside")
    await comeback.clock.idle()
    #expect(comeback.states.last?.last == "beside")
    #expect(comeback.settled == [false])
    await comeback.clock.advance(by: .seconds(1))
    #expect(comeback.states.last == ["old", "beside", "wait", "a", "b"])
    #expect(comeback.settled == [false, true])
  }

  @Test func `is unsettled until its effects have ended`() async {
    let comeback = Comeback(from: ["old"]) { _ in Reducing() }
    await comeback.resume(Interrupted(ids: "slow"))
    #expect(comeback.states.last == ["old", "wait"])
    #expect(comeback.settled == [false])
    await comeback.clock.advance(by: .seconds(1))
    #expect(comeback.states.last == ["old", "wait", "waited"])
    #expect(comeback.settled == [false, true])
  }

  @Test func `handles the errors of its effects, and continues`() async {
    let comeback = Comeback(from: ["old"]) { Asynchronous(time: $0) }
    await comeback.resume(Interrupted(ids: "broken", "job"))
    #expect(comeback.states.last?.suffix(2) == ["a", "b"])
    #expect(comeback.states.last?.count == 4)
  }

  @Test func `does nothing if it is closed before it has continued`() async {
    let comeback = Comeback(from: ["old"]) { _ in Reducing() }
    comeback.engine.prepare(.restored(Interrupted(ids: "slow")))
    comeback.engine.close()
    comeback.engine.resume()
    await comeback.clock.idle()
    #expect(comeback.versions == [7])
    #expect(comeback.clock.sleepers == 0)
  }
}

/// The actions with which each of them continues.
private func actions(after interrupted: Interrupted) -> [String] {
  (interrupted.contains("slow") ? ["wait"] : []) + (interrupted.contains("broken") ? ["fail"] : [])
    + (interrupted.contains("job") ? ["a", "b"] : [])
}
