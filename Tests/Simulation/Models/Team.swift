import UIFusionKit

/// Adds workers for each number, which leave after some time of work; some are sent away before.
struct Team: ReducerViewModel {
  enum Input: Codable, Sendable { case add(Int), cancel(Int) }

  enum Action: Equatable, Sendable {
    case add(Int), cancel(Int), workers(id: Int, action: Worker.Action), left(Int)
  }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var tally = Tally()
    var workers: IdentifiedArray<Worker.State> = []
  }

  /// The number of workers that ever came, and of those that finished or were sent away.
  struct Tally: Codable, Equatable, Sendable { var come = 0, done = 0, sentAway = 0 }

  /// The workers per number: so many that after a few Inputs, entries do not list all names of running work.
  static let size = 30

  var state = State()
  let probe: Probe
  let workers: Children<Team, Int, Worker>

  init(time: any TimeSource, probe: Probe) {
    self.probe = probe
    workers = Children(\.workers, Action.workers, dismissed: Action.left) {
      Worker(time: time, probe: probe)
    }
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .cancel(let number): [.cancel(number)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let number):
      state.items.append(number)
      probe.expect(Self.size, of: number)
      var effects: [AsyncEffect<Action>] = []
      for _ in 0..<Self.size {
        let id = state.tally.come
        state.tally.come += 1
        state.workers[id: id] = Worker.State(id: id, number: number)
        effects += workers[id].start(&state)
      }
      return effects
    case .cancel(let number):
      state.items.append(number)
      for worker in state.workers where (worker.id + number).isMultiple(of: 2) {
        remove(worker.id, from: &state)
        state.tally.sentAway += 1
      }
      return []
    case .workers(let id, let action):
      if state.workers[id: id] == nil {
        probe.all.failed("worker \(id) receives \(action) after it left", .children)
      }
      return workers[id].reduce(&state, action)
    case .left(let id):
      if state.workers[id: id] == nil { probe.all.failed("worker \(id) leaves twice", .children) }
      remove(id, from: &state)
      state.tally.done += 1
      return []
    }
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    probe.restored()
    guard !probe.all.planted.contains(.ignoredRestoring) else { return [] }
    return workers.restored(interrupted, in: state)
  }

  private func remove(_ id: Int, from state: inout State) {
    if let worker = state.workers[id: id] { probe.all.done(worker.number) }
    state.workers[id: id] = nil
  }
}

/// A child of a ``Team``, which works for some time, and then asks to leave.
struct Worker: ReducerViewModel {
  enum Action: Equatable, Sendable { case work, workOn, end }

  struct State: Codable, Equatable, Sendable, Identifiable {
    var id = 0
    var number = 0
    var isDone = false
  }

  private enum EffectName { case work }

  var state = State()
  let time: any TimeSource
  let probe: Probe

  func started() -> [Action] { [.work] }
  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .work: return [work(state)]
    case .workOn: return [work(state, isRestored: true)]
    case .end:
      state.isDone = true
      return [.dismiss]
    }
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    if state.isDone { return [.end] }
    return interrupted.contains(EffectName.work) ? [.workOn] : []
  }

  private func work(_ state: State, isRestored: Bool = false) -> AsyncEffect<Action> {
    .run(id: EffectName.work) { [time, all = probe.all] send in
      // The first worker reports the work of its Input, which begins only once.
      if state.id.isMultiple(of: Team.size) { all.began(state.number, isRestored: isRestored) }
      try await time.sleep(for: .milliseconds(200 + 60 * (state.id % Team.size)))
      await send(.end)
    }
  }
}
