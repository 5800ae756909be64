import UIFusionKit

/// A view model that sends a note to a ``Ledger``, or follows it, in each way that an Input can lead there.
struct Errand: ReducerViewModel, SessionFollowing {
  /// The ways from an Input to a message.
  enum Way: String, Codable, CaseIterable, Sendable {
    case atOnce, action, run, detached, runAction, background, child, pause, timer, debounce
    case throttle, queue, merge, error, alarm, alarmOfEffect, refusal
  }
  enum Input: Codable, Sendable {
    case send(Way, to: String), follow(String?), other
  }
  enum Action: Codable, Sendable {
    case input(Input), deliver(String), back, shown(Fan.Notes), lost, failed, alarm(String)
  }
  struct State: Codable, Equatable, Sendable {
    var target = ""
    var followed: String?
    var notes: [Int] = []
    var others = 0
    var refused = 0
    var lost = 0
  }
  private struct Failure: Error {}

  var state = State()

  /// Returns an address: the name after an at sign, the shared name after a number sign, or the id.
  static func address(_ text: String) -> SessionAddress {
    switch text.first {
    case "@": .named(String(text.dropFirst()), of: "ledger")
    case "#": .named(String(text.dropFirst()), of: "ledger", shared: true)
    default: .id(text)
    }
  }

  var following: [Following<Action>] {
    state.followed.map {
      [Following(Self.address($0), as: Fan.Notes.self, ended: .lost) { .shown($0) }]
    } ?? []
  }

  func transform(_ input: Input) -> [Action] { [.input(input)] }

  func restored(_ interrupted: Interrupted) -> [Action] {
    interrupted.isEmpty ? [] : [.deliver(state.target)]
  }

  func handleError(_ error: SendableError) -> [Action] { [.failed] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .input(.other): state.others += 1
    case .input(.follow(let followed)): (state.followed, state.notes) = (followed, [])
    case .input(.send(let way, let target)):
      state.target = target
      return effects(of: way, .deliver(target), target)
    case .deliver(let target):
      return [.send(Ledger.Input.note(1), to: Self.address(target), ifRefused: .back)]
    case .alarm(let target): return [.alarm(id: "inner", after: .seconds(1), .deliver(target))]
    case .failed: return [.action(.deliver(state.target))]
    case .back: state.refused += 1
    case .shown(let shown): state.notes = shown.notes
    case .lost: state.lost += 1
    }
    return []
  }

  private func effects(of way: Way, _ action: Action, _ target: String) -> [AsyncEffect<Action>] {
    let second = Duration.seconds(1)
    switch way {
    case .atOnce: return [.send(Ledger.Input.note(1), to: Self.address(target), ifRefused: .back)]
    case .action: return [.action(action)]
    case .run: return [.run { send in await send(action) }]
    case .detached: return [.run { send in await Task.detached { await send(action) }.value }]
    case .runAction: return [.runAction { action }]
    case .background: return [.run(background: true) { send in await send(action) }]
    case .child: return [.concurrent(.merge(.runAction { action }), .none)]
    case .pause: return [.sleepThen(for: second, action: action)]
    case .timer:
      let stop = AsyncEffect<Action>.sleepThen(for: .milliseconds(1_500), action: .input(.other))
      return [
        .timer(id: "timer", every: second, action: action), .merge(stop, .cancel(id: "timer")),
      ]
    case .debounce: return [.debounce(id: "debounce", for: second, .action(action))]
    case .throttle:
      return [.input(.other), action].map {
        .throttle(id: "throttle", for: second, latest: true, .action($0))
      }
    case .queue:
      return [.input(.other), action].map { action in
        .runAction(id: "queue", policy: .queue(limit: 2)) { action }
      }
    case .merge: return [.merge(.sleepThen(for: second, action: .input(.other)), .action(action))]
    case .error: return [.run { _ in throw Failure() }]
    case .alarm: return [.alarm(id: "alarm", after: second, action)]
    case .alarmOfEffect: return [.sleepThen(for: second, action: .alarm(target))]
    case .refusal: return [.send(Ledger.Input.note(1), to: .id("nobody"), ifRefused: action)]
    }
  }
}
