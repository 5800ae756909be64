import Synchronization
import Testing
import UIFusionKit

@testable import UIFusionTesting

/// Votes, and has a plan that is wrong in every way.
private struct Misplanned: ReducerViewModel, Planned {
  enum Input: Codable, Sendable { case vote(String), delayed, stop, clear }
  enum Action: Sendable { case count(String), wait, stop, clear }
  struct State: Codable, Equatable, Sendable {
    var votes: [String: Int] = [:]
    var isWaiting = false
  }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .vote(let name): [.count(name)]
    case .delayed: [.wait]
    case .stop: [.stop]
    case .clear: [.clear]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .count(let name):
      state.votes[name, default: 0] += 1
      state.isWaiting = false
    case .wait:
      state.isWaiting = true
      return [.sleepThen(id: "wait", for: .seconds(1), action: .count("late"))]
    case .stop:
      state.isWaiting = false
      return [.cancel(id: "wait")]
    case .clear: state = State()
    }
    return []
  }

  static let plan: [PlannedInput<Misplanned>] = [
    .input(.vote("Ada"), "right", [.action(.count(""), ["votes": "one more"])]),
    .input(.vote("Ada"), "wrong action", [.action(.clear, ["votes": "none"])]),
    .input(.vote("Ada"), "unknown member", [.action(.count(""), ["vote": "one more"])]),
    .input(.vote("Ada"), "other member", [.action(.count(""), ["isWaiting": "true"])]),
    .input(
      .delayed,
      "an effect's action, left out",
      [.action(.wait, ["isWaiting": "true, then false"])]
    ),
    .input(
      .delayed,
      "right, with an effect's action",
      after: [.vote("Bo")],
      [
        .action(.wait, ["isWaiting": "true"]),
        .action(.count(""), ["votes": "one more", "isWaiting": "false"]),
      ]
    ),
    .input(
      .delayed,
      "a member under another action",
      [
        .action(.wait, ["isWaiting": "true", "votes": "one more"]),
        .action(.count(""), ["isWaiting": "false"]),
      ]
    ),
    .input(
      .delayed,
      "a member under one of its actions only",
      [
        .action(.wait, ["isWaiting": "true, then false"]),
        .action(.count(""), ["votes": "one more"]),
      ]
    ),
    .input(
      .stop,
      "right, while something goes on",
      after: [.delayed],
      delay: .milliseconds(999),
      [.action(.stop, ["isWaiting": "false"])]
    ),
    .input(
      .stop,
      "too late",
      after: [.delayed],
      [.action(.stop, ["isWaiting": "false"])]
    ),
  ]
}

/// Changes two members, one after the other, with a plan that assigns both to the first action.
private final class Paired: AsyncReactor, Planned {
  enum Input: Codable, Sendable { case both }
  enum Mutation: Sendable { case first, second }
  struct State: Codable, Equatable, Sendable {
    var first = 0
    var second = 0
  }

  var currentState = State()

  func reduce(_ input: Input) async -> Mutation { .first }

  func reduce(_ input: Input, send: nonisolated(nonsending) (Mutation) async -> Void) async {
    await send(.first)
    await send(.second)
  }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    var state = state
    switch mutation {
    case .first: state.first += 1
    case .second: state.second += 1
    }
    return state
  }

  static let plan: [PlannedInput<Paired>] = [
    .input(
      .both,
      "all at once",
      [.action(.first, ["first": "1", "second": "1"]), .action(.second)]
    )
  ]
}

struct `A plan that differs from its view model` {
  @Test func `is reported with each member under the wrong action`() async {
    let texts = Mutex<[String]>([])
    let check = PlanCheck(limit: .seconds(10), make: { _ in Paired() }) { text in
      texts.withLock { $0.append(text) }
    }
    await check.run { _ in }
    #expect(
      texts.withLock { $0 } == [
        """
        The plan of both (all at once) has members under other actions than those that change them.
          planned and not changed: second by first
          changed and not planned: second by second
        """
      ]
    )
  }

  @Test func `is reported with every kind of difference`() async {
    let texts = Mutex<[String]>([])
    let check = PlanCheck(limit: .seconds(10), make: { _ in Misplanned() }) { text in
      texts.withLock { $0.append(text) }
    }
    await check.run { _ in }
    let advice =
      "(What changes in some situations only needs an entry with Inputs that lead there.)"
    #expect(
      texts.withLock { $0 } == [
        """
        The plan says nothing about the Input clear.
        (Add an entry for it.)
        """,
        """
        The plan of vote (wrong action) has other actions than the view model.
          planned: clear
          done: count
        """,
        """
        The plan of vote (unknown member) has the member vote, which State has not.
          State has: votes, isWaiting
        """,
        """
        The plan of vote (unknown member) changes other members than the view model.
          planned and not changed: nothing
          changed and not planned: votes
        \(advice)
        """,
        """
        The plan of vote (other member) changes other members than the view model.
          planned and not changed: isWaiting
          changed and not planned: votes
        \(advice)
        """,
        """
        The plan of delayed (an effect's action, left out) has other actions than the view model.
          planned: wait
          done: wait, count
        """,
        """
        The plan of delayed (an effect's action, left out) changes other members than the view model.
          planned and not changed: nothing
          changed and not planned: votes
        \(advice)
        """,
        """
        The plan of delayed (a member under another action) has members under other actions than \
        those that change them.
          planned and not changed: votes by wait
          changed and not planned: votes by count
        """,
        """
        The plan of delayed (a member under one of its actions only) has members under other actions \
        than those that change them.
          planned and not changed: nothing
          changed and not planned: isWaiting by count
        """,
        """
        The plan of stop (too late) changes other members than the view model.
          planned and not changed: isWaiting
          changed and not planned: nothing
        \(advice)
        """,
      ]
    )
  }
}
