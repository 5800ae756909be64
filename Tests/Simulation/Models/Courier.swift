import FusionSessions
import UIFusionKit

/// Passes numbers on to other couriers, stores those it receives, thanks for even ones, and follows the last courier it
/// passed one to.
struct Courier: ReducerViewModel, SessionFollowing {
  enum Input: Codable, Sendable { case add(Int), pass(Int, to: String), take(Int), thank(Int) }
  enum Action: Codable, Sendable {
    case add(Int), pass(Int, to: String), take(Pass), thanked(Pass), refused(Int)
    case shown([Int], of: String), over(String)
  }

  /// The part of another courier's State that is followed.
  private struct Items: Codable, Equatable, Sendable { var items: [Int] }

  /// An id without a session.
  static let nobody = "nobody"

  /// An Input that every receiver refuses.
  private enum Strange: Codable { case take(word: String) }

  /// Whether a number is sent in a form that is refused.
  private static func isStrange(_ number: Int) -> Bool { number % 7 == 0 }

  /// Whether a number is replied to.
  static func isThankedFor(_ number: Int) -> Bool { number % 2 == 0 && !isStrange(number) }

  /// The numbers that are sent because of one.
  private static func numbers(for number: Int) -> [Int] {
    number % 3 == 0 ? [number, number + 50_000, number + 60_000] : [number]
  }

  /// A number, and the session that it was passed to or came from.
  struct Pass: Codable, Equatable, Sendable {
    var number: Int
    var other: String
  }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var passed: [Pass] = []
    var got: [Pass] = []
    var refused: [Int] = []
    var thanks: [Pass] = []
    /// The followed session, and its newest items.
    var followed: String?
    var shown: [Int] = []
    /// The sessions that were followed until their end.
    var over: [String] = []
  }

  var state = State()
  let id: String
  let probe: Probe

  var following: [Following<Action>] {
    guard let followed = state.followed else { return [] }
    return [
      Following(.id(followed), as: Items.self, ended: .over(followed)) {
        .shown($0.items, of: followed)
      }
    ]
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .pass(let number, let other): [.pass(number, to: other)]
    case .take(let number): [.take(Pass(number: number, other: InputSender.session ?? ""))]
    case .thank(let number): [.thanked(Pass(number: number, other: InputSender.session ?? ""))]
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
      if Self.isThankedFor(pass.number) { return [.reply(Input.thank(pass.number))] }
    case .thanked(let pass):
      if state.thanks.contains(pass) {
        probe.all.failed("the reply \(pass.number) is applied twice", .messages)
      }
      state.thanks.append(pass)
    case .shown(let items, let other):
      if probe.all.planted.contains(.missedStates), items.count.isMultiple(of: 2) { break }
      if other != state.followed {
        probe.all.failed("an unfollowed session is shown", .following)
      }
      if !items.starts(with: state.shown), !probe.all.isTakenBack(other) {
        probe.all.failed("\(items) are shown after \(state.shown)", .following)
      }
      state.shown = items
    case .over(let other):
      state.over.append(other)
      (state.followed, state.shown) = (nil, [])
    case .pass(let number, let other):
      if ![id, Self.nobody, state.followed].contains(other), !state.over.contains(other) {
        (state.followed, state.shown) = (other, [])
      }
      state.items.append(number)
      // Some turns send several messages.
      let numbers = Self.numbers(for: number)
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

  /// Returns the States that followers at rest have missed, given all living couriers' States; nil if none.
  static func missed(_ states: [String: ShownState]) -> String? {
    for (follower, state) in states.sorted(by: { $0.key < $1.key }) {
      if let other = state.over?.first(where: { states[$0] != nil }) {
        return "\(follower.prefix(6)) is told the end of \(other.prefix(6)), which has not ended"
      }
      guard let other = state.followed else { continue }
      guard let items = states[other]?.items else {
        return "\(follower.prefix(6)) is not told the end of \(other.prefix(6))"
      }
      if items != state.shown {
        return "\(follower.prefix(6)) is shown \(state.shown ?? []) instead of \(items)"
      }
    }
    return nil
  }

  /// Returns an inconsistency of messages at rest, given all living couriers' States; nil if none.
  static func fault(_ states: [String: ShownState]) -> String? {
    for (sender, state) in states.sorted(by: { $0.key < $1.key }) {
      for pass in state.passed ?? [] where states[pass.other] == nil {
        let isRefused = state.refused?.count { $0 == pass.number } ?? 0
        if isRefused > 1 { return "\(pass.number) is refused twice" }
        if pass.other == nobody, isRefused == 0 {
          return "\(pass.number) is refused without notice to its sender"
        }
      }
      for (receiver, other) in states {
        let all = state.passed?.filter { $0.other == receiver }.map(\.number) ?? []
        let sent = all.filter { !isStrange($0) }
        let got = other.got?.filter { $0.other == sender }.map(\.number) ?? []
        if sent != got { return "\(sender.prefix(6)) has sent \(sent), but \(got) arrived" }
        let thanks = state.thanks?.filter { $0.other == receiver }.map(\.number) ?? []
        if thanks != got.filter(isThankedFor) {
          return "\(sender.prefix(6)) has sent \(sent), and got thanks for \(thanks)"
        }
        if let number = state.refused?.first(where: sent.contains) {
          return "\(number) is refused by a session that has not ended"
        }
        for number in all where isStrange(number) {
          let count = state.refused?.count { $0 == number } ?? 0
          if count != 1 { return "\(number) is invalid, and is refused \(count) times" }
        }
      }
    }
    return nil
  }
}

extension Courier {
  /// Returns a number that a courier was asked to pass on and for which its State lacks a reply, or a refusal.
  ///
  /// A receiver that has ended, or has forgotten what it has received, owes none.
  static func owed(
    _ state: ShownState,
    for numbers: [Int],
    mayLack: (_ receiver: String) -> Bool
  ) -> Int? {
    let asked = Set(numbers.flatMap(Self.numbers(for:)))
    return state.passed?.first { pass in
      guard asked.contains(pass.number) else { return false }
      if state.refused?.contains(pass.number) == true || mayLack(pass.other) { return false }
      if isStrange(pass.number) || pass.other == nobody { return true }
      return isThankedFor(pass.number) && state.thanks?.contains(pass) != true
    }?.number
  }
}

/// Planted faults in a session that is read.
extension StoredSession {
  mutating func loseMessages() { alarms.removeAll(where: \.isMessage) }

  mutating func loseReplies() {
    alarms.removeAll { Message(AlarmName(bytes: $0.name), $0.action)?.isReply == true }
  }

  /// Removes the number of each sender's last message.
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
