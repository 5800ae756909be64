import UIFusionKit

/// Rings for each number, some time after its Input; and ticks while its timer is on.
///
/// Even numbers ring concurrently, odd ones one after another.
struct Alarm: ReducerViewModel {
  enum Input: Codable, Sendable {
    case add(Int), start, stop
    /// Starts work without changing State.
    case knock(Int)
  }

  enum Action: Equatable, Sendable {
    case add(Int), noted(Int), wait(Int), ring(Int), knock(Int), start, tick, stop
  }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var noted = 0
    var rung: [Int] = []
    var isTicking = false
    var ticks = 0
  }

  static let interval = Duration.milliseconds(700)
  private enum EffectName { case tick, ring }

  var state = State()
  let time: any TimeSource
  let probe: Probe

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .knock(let number): [.knock(number)]
    case .start: [.start]
    case .stop: [.stop]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let number):
      state.items.append(number)
      probe.expect(2, of: number)
      return [.action(.noted(number)), ring(number)]
    case .noted(let number):
      state.noted += 1
      probe.all.done(number)
      return []
    case .wait(let number):
      return [ring(number, isRestored: true)]
    case .ring(let number):
      state.rung.append(number)
      probe.all.done(number)
      return []
    case .knock(let number):
      probe.expect(of: number)
      return [knock(number)]
    case .start:
      state.isTicking = true
      return [.timer(id: EffectName.tick, every: Self.interval, policy: .keep, action: .tick)]
    case .tick:
      state.ticks += 1
      return []
    case .stop:
      state.isTicking = false
      return [.cancel(id: EffectName.tick)]
    }
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    probe.restored()
    guard !probe.all.planted.contains(.ignoredRestoring) else { return [] }
    let waiting = state.items.filter { !state.rung.contains($0) }
    return waiting.map { .wait($0) } + (interrupted.contains(EffectName.tick) ? [.start] : [])
  }

  private func ring(_ number: Int, isRestored: Bool = false) -> AsyncEffect<Action> {
    let isQueued = number % 2 == 1
    let kept = probe.all.planted.contains(.endlessEffects) && !isQueued ? probe : nil
    return .run(
      id: isQueued ? EffectName.ring : nil,
      policy: .queue(limit: 1_000)
    ) { [time, all = probe.all] send in
      all.began(number, isRestored: isRestored)
      try await time.sleep(for: isQueued ? .milliseconds(80) : .milliseconds(300))
      await send(.ring(number))
      while kept != nil { await all.pause() }
    }
  }

  private func knock(_ number: Int) -> AsyncEffect<Action> {
    .run { [time, all = probe.all] _ in
      all.began(number)
      // Some work lasts longer than an idle session lives, though nobody waits for it.
      let isLong = number.isMultiple(of: 3)
      try await time.sleep(for: isLong ? .seconds(6) : .milliseconds(150))
      all.done(number)
    }
  }
}
