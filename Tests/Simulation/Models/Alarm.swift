import UIFusionKit

/// Rings for every number, a while after it came; and ticks, while it is told to.
struct Alarm: ReducerViewModel {
  enum Input: Codable, Sendable { case add(Int), start, stop }
  enum Action: Equatable, Sendable { case add(Int), noted, wait(Int), ring(Int), start, tick, stop }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var noted = 0
    var rung: [Int] = []
    var isTicking = false
    var ticks = 0
  }

  static let interval = Duration.milliseconds(700)
  private enum EffectName { case tick }

  var state = State()
  let time: any TimeSource
  let probe: Probe

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .start: [.start]
    case .stop: [.stop]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let number):
      state.items.append(number)
      return [.action(.noted), ring(number)]
    case .noted:
      state.noted += 1
      return []
    case .wait(let number):
      return [ring(number)]
    case .ring(let number):
      state.rung.append(number)
      return []
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
    guard !probe.all.planted.contains(.ignoredRestoring) else { return [] }
    let waiting = state.items.filter { !state.rung.contains($0) }
    return waiting.map { .wait($0) } + (interrupted.contains(EffectName.tick) ? [.start] : [])
  }

  private func ring(_ number: Int) -> AsyncEffect<Action> {
    let kept = probe.all.planted.contains(.endlessEffects) ? probe : nil
    return .run { [time, all = probe.all] send in
      all.effectBegan(number)
      try await time.sleep(for: .milliseconds(300))
      await send(.ring(number))
      while kept != nil { await all.pause() }
    }
  }
}
