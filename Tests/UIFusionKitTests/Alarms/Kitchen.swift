import Foundation
import UIFusionKit

/// A reducer that sets, cancels and counts alarms, and whose children do so, too.
struct Kitchen: ReducerViewModel {
  enum Input: Equatable, Sendable {
    case set(String, Double)
    case setAt(Date)
    case cancel(String)
    case many(Int)
    case late(Int)
    case open
    case close
    case pot(Int, Pot.Input)
  }
  enum Action: Codable, Equatable, Sendable {
    case input(String)
    case rang(String)
    case pot(Int, Pot.Action)
    case none
  }
  struct State: Codable, Equatable, Sendable {
    var rung: [String] = []
    var refused = ""
    var pots: [Pot.State] = []
  }

  var state = State()
  private let pots = Children<Kitchen, Int, Pot>(\.pots, Action.pot) { Pot() }
  private var request: Input?

  func transform(_ input: Input) -> [Action] {
    if case .pot(let id, let input) = input { return pots[id].transform(input, in: state) }
    return [.input(Self.text(input))]
  }

  static func text(_ input: Input) -> String {
    switch input {
    case .set(let name, let seconds): "set \(name) \(seconds)"
    case .setAt(let date): "at \(date.timeIntervalSince1970)"
    case .cancel(let name): "cancel \(name)"
    case .many(let count): "many \(count)"
    case .late(let count): "late \(count)"
    case .open: "open"
    case .close: "close"
    case .pot: ""
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .rang(let name): state.rung.append(name)
    case .pot(let id, let action): return pots[id].reduce(&state, action)
    case .none: break
    case .input(let text):
      let words = text.split(separator: " ").map(String.init)
      let number = words.last.flatMap(Double.init) ?? 0
      switch words[0] {
      case "set":
        state.refused = ""
        return [.alarm(id: words[1], after: .seconds(number), .rang(words[1]))]
      case "at":
        return [.alarm(id: "at", at: Date(timeIntervalSince1970: number), .rang("at"))]
      case "cancel": return [.cancelAlarm(id: words[1])]
      case "many":
        state.rung.append("many")
        return (0..<Int(number)).map { .alarm(id: $0, after: .seconds(9), .none) }
      case "late":
        let alarms = (0..<Int(number)).map {
          AsyncEffect.alarm(id: "l\($0)", after: .seconds(9), Action.none)
        }
        return [
          .sleepThen(for: .seconds(1), action: .input("many 500")),
          .merge(
            [.run { _ in }, .sleepThen(for: .seconds(2), action: .none)] + alarms
          ),
        ]
      case "open": state.pots.append(Pot.State(id: 1))
      default: state.pots = []
      }
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] { [.rang("error")] }
}

struct Pot: ReducerViewModel {
  enum Input: Equatable, Sendable { case cook, stop }
  enum Action: Codable, Equatable, Sendable { case cook, stop, ready }
  struct State: Codable, Equatable, Sendable, Identifiable {
    var id: Int
    var isReady = false
  }

  var state = State(id: 0)
  func transform(_ input: Input) -> [Action] { [input == .cook ? .cook : .stop] }
  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .cook: return [.alarm(id: "tea", after: .seconds(5), .ready)]
    case .stop: return [.cancelAlarm(id: "tea")]
    case .ready:
      state.isReady = true
      return []
    }
  }
}
