import FusionSessions
import UIFusionKit

/// Passes numbers on to others of its kind, and keeps those that it gets.
struct Courier: ReducerViewModel {
  enum Input: Codable, Sendable { case add(Int), pass(Int, to: String), take(Int) }
  enum Action: Codable, Sendable { case add(Int), pass(Int, to: String), take(Pass), refused(Int) }

  /// The id of no session.
  static let nobody = "nobody"

  /// An Input that no receiver takes.
  private enum Strange: Codable { case take(word: String) }

  /// Whether a number is sent in a form that is refused.
  private static func isStrange(_ number: Int) -> Bool { number % 7 == 0 }

  /// A number, and the session that it was passed to, or that it came from.
  struct Pass: Codable, Equatable, Sendable {
    var number: Int
    var other: String
  }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var passed: [Pass] = []
    var got: [Pass] = []
    var refused: [Int] = []
  }

  var state = State()
  let probe: Probe

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .pass(let number, let other): [.pass(number, to: other)]
    case .take(let number): [.take(Pass(number: number, other: InputSender.session ?? ""))]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let number): state.items.append(number)
    case .refused(let number): state.refused.append(number)
    case .take(let pass):
      if state.got.contains(pass) {
        probe.all.failed("the message \(pass.number) is applied twice", .messages)
      }
      state.got.append(pass)
    case .pass(let number, let other):
      state.items.append(number)
      // Some turns send several.
      let numbers = number % 3 == 0 ? [number, number + 50_000, number + 60_000] : [number]
      state.passed += numbers.map { Pass(number: $0, other: other) }
      return numbers.map {
        Self.isStrange($0)
          ? .send(Strange.take(word: ""), to: .id(other), ifRefused: .refused($0))
          : .send(Input.take($0), to: .id(other), ifRefused: .refused($0))
      }
    }
    return []
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    probe.restored()
    return []
  }

  /// What has become of messages at rest, given the States of those that live; nil where nothing is wrong.
  static func fault(_ states: [String: ShownState]) -> String? {
    for (sender, state) in states.sorted(by: { $0.key < $1.key }) {
      for pass in state.passed ?? [] where states[pass.other] == nil {
        let isRefused = state.refused?.count { $0 == pass.number } ?? 0
        if isRefused > 1 { return "\(pass.number) is refused twice" }
        if pass.other == nobody, isRefused == 0 { return "\(pass.number) is refused, and not told" }
      }
      for (receiver, other) in states {
        let all = state.passed?.filter { $0.other == receiver }.map(\.number) ?? []
        let sent = all.filter { !isStrange($0) }
        let got = other.got?.filter { $0.other == sender }.map(\.number) ?? []
        if sent != got { return "\(sender.prefix(6)) has sent \(sent), and there arrived \(got)" }
        if let number = state.refused?.first(where: sent.contains) {
          return "\(number) is refused by one that lives"
        }
        for number in all where isStrange(number) {
          let count = state.refused?.count { $0 == number } ?? 0
          if count != 1 { return "\(number) is strange, and refused \(count) times" }
        }
      }
    }
    return nil
  }
}

/// Faults that are planted in what is read of a session.
extension StoredSession {
  mutating func loseMessages() { alarms.removeAll(where: \.isMessage) }

  /// Another number of the last message of each sender: none.
  mutating func forgetSenders() {
    keys.removeAll { KeyProgress.isMessage($0.key) }
    for index in entries.indices
    where entries[index].key.map({ KeyProgress.isMessage($0.key) }) == true {
      entries[index].key = nil
    }
  }

  mutating func reverseMessages() {
    let places = alarms.indices.filter { alarms[$0].isMessage }
    let actions = places.map { alarms[$0].action }
    for (place, action) in zip(places, actions.reversed()) { alarms[place].action = action }
  }
}
