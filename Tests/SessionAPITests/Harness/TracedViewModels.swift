import UIFusionKit

/// A place in a view model, with the first letter of the trace that it runs for, or `-` for none.
struct Here: CustomStringConvertible {
  let description: String
  init(_ place: String) { description = "\(place) \(TraceContext.current?.traceID.first ?? "-")" }
}

/// A view model that notes the trace of each step of its effects.
struct Traced: ReducerViewModel {
  enum Input: Codable, Sendable { case go, fail, serial, send, tick, stop, soon, queue(Int) }
  enum Action: Sendable {
    case go, fail, serial, send, note(String), last(String), tick, stop, soon, queue(Int)
  }
  struct State: Codable, Equatable, Sendable { var notes: [String] = [] }
  struct Failure: Error {}

  var state = State()
  let time: any TimeSource

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .go: [.note("\(Here("transform"))"), .go]
    case .fail: [.fail]
    case .serial: [.serial]
    case .send: [.send]
    case .tick: [.tick]
    case .stop: [.stop]
    case .soon: [.soon]
    case .queue(let seconds): [.queue(seconds)]
    }
  }

  func restored(_ interrupted: Interrupted) -> [Action] { [.note("\(Here("restored"))"), .go] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .note(let text): state.notes.append(text)
    case .last(let text):
      state.notes += [text, "\(Here("reduce"))"]
      return [.runAction { .note("\(Here("its effect"))") }]
    case .go:
      return [
        .run(id: "go") { [time] send in
          await send(.note("\(Here("effect"))"))
          try await time.sleep(for: .seconds(1))
          await send(.last("\(Here("after a wait"))"))
        }
      ]
    case .fail:
      return [
        .runAction { [time] in
          try await time.sleep(for: .seconds(1))
          throw Failure()
        }
      ]
    case .serial:
      return [
        .merge(
          .sleepThen(for: .seconds(1), action: .note("first")),
          .runAction { .note("\(Here("second"))") },
          .action(.send)
        )
      ]
    case .send:
      state.notes.append("\(Here("sent"))")
    case .tick: return [.timer(id: "tick", every: .seconds(1), action: .send)]
    case .stop: return [.cancel(id: "tick")]
    case .soon: return [.action(.send)]
    case .queue(let seconds):
      return [
        .runAction(id: "queue", policy: .queue(limit: 5)) { [time] in
          try await time.sleep(for: .seconds(seconds))
          return .note("\(Here("queued"))")
        }
      ]
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] { [.last("\(Here("error"))")] }
}

/// ``Traced`` in the asynchronous pattern.
final class TracedAsync: AsyncViewModel {
  enum Input: Codable, Sendable { case wait(Int), beside(Int) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var notes: [String] = [] }

  var state = State()
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  func policy(for input: Input) -> InputPolicy {
    if case .beside = input { .overlapping } else { .inOrder }
  }

  func transform(_ input: Input) async -> [Input] {
    state.notes.append("\(Here("transform"))")
    return [input]
  }

  func perform(_ action: Input) async throws {
    let seconds =
      switch action {
      case .wait(let seconds), .beside(let seconds): seconds
      }
    state.notes.append("\(Here("perform"))")
    try await time.sleep(for: .seconds(seconds))
    state.notes.append("\(Here("after a wait"))")
  }

  func handleError(_ error: SendableError) async {}
}
