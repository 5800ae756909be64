import Testing
import UIFusionKit

@Suite struct `A dry run` {
  @Test func `performs actions, and keeps properties outside State`() async throws {
    let dryRun = try #require(DryRun(Performing()))
    await dryRun.redo(1)
    await dryRun.redo(1)
    #expect(dryRun.state == 3)
    dryRun.state = 10
    await dryRun.redo(1)
    #expect(dryRun.state == 13)
  }

  @Test func `reduces actions, and runs no effects`() async throws {
    let dryRun = try #require(DryRun(Reducing()))
    await dryRun.redo(2)
    await dryRun.redo(2)
    #expect(dryRun.state == 4)
  }

  @Test func `applies mutations`() async throws {
    let dryRun = try #require(DryRun(Mutating()))
    await dryRun.redo(2)
    await dryRun.redo(3)
    #expect(dryRun.state == 5)
  }

  @Test func `does not exist for a view model whose perform suspends`() {
    let dryRun = DryRun(Waiting())
    #expect(dryRun.map { _ in true } == nil)
  }
}

private struct Performing: ViewModelProtocol {
  var state = 0
  var count = 0

  func transform(_ input: Int) -> [Int] { [] }

  mutating func perform(_ action: Int) {
    count += action
    state += count
  }
}

private struct Reducing: ReducerViewModel {
  var state = 0

  func transform(_ input: Int) -> [Int] { [] }

  func reduce(state: inout Int, action: Int) -> [AsyncEffect<Int>] {
    state += action
    return [.action(100), .runAction { 100 }]
  }
}

private final class Mutating: AsyncReactor {
  var currentState = 0

  func reduce(_ input: Int) async -> Int { 100 }

  func mutate(_ state: Int, mutation: Int) async -> Int {
    await Task.yield()
    return state + mutation
  }
}

private final class Waiting: AsyncViewModel {
  var state = 0

  func transform(_ input: Int) async -> [Int] { [] }
  func perform(_ action: Int) async throws {}
  func handleError(_ error: SendableError) async {}
}
