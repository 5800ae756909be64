import FusionSessions
import UIFusionKit

/// Adds the numbers of its alarms; an Input is `name seconds number`, or `-name` to cancel.
struct Reminding: ReducerViewModel {
  typealias Input = String
  typealias State = Int
  struct Ring: Codable, Sendable { var number: Int }
  enum Action: Codable, Sendable { case read(String), ring(Int), unreadable }

  var state = 0

  func transform(_ input: String) -> [Action] { [.read(input)] }

  func reduce(state: inout Int, action: Action) -> [AsyncEffect<Action>] {
    guard case .read(let text) = action else {
      if case .ring(let number) = action { state += number }
      return []
    }
    if text.hasPrefix("-") { return [.cancelAlarm(id: String(text.dropFirst()))] }
    let words = text.split(separator: " ").map(String.init)
    let ring: Action = words[2] == "?" ? .unreadable : .ring(Int(words[2]) ?? 0)
    return [.alarm(id: words[0], after: .seconds(Double(words[1]) ?? 0), ring)]
  }
}

/// Counts its alarms, in functions that may suspend; an Input sets one.
final class Nodding: AsyncViewModel, AlarmSetting {
  typealias Input = String
  enum Action: Codable, Sendable { case set, rang }

  var state = 0
  let alarms = Alarms<Action>()

  func transform(_ input: String) async -> [Action] { [.set] }

  func perform(_ action: Action) async throws {
    switch action {
    case .set: alarms.set("tea", after: .seconds(2), .rang)
    case .rang: state += 1
    }
  }

  func handleError(_ error: SendableError) async {}
}

extension HostedViewModel {
  static let nodding = HostedViewModel(
    name: "reminding",
    summary: "",
    actionCoding: ActionCoding(
      encode: { _ in Array("1".utf8) },
      decode: { _ in Nodding.Action.rang }
    ),
    read: { body, processed, owner in
      InputBatch([String(decoding: body, as: UTF8.self)], from: processed, owner: owner)
    },
    open: { start, opening in start.engine(opening) { Nodding() } }
  )

  static let reminding = HostedViewModel(
    name: "reminding",
    summary: "",
    actionCoding: ActionCoding(
      encode: { action in
        guard case .ring(let number)? = action as? Reminding.Action else { return Array("?".utf8) }
        return Array("\(number)".utf8)
      },
      decode: { text in
        guard let number = Int(String(decoding: text, as: UTF8.self)) else { throw Refused() }
        return Reminding.Action.ring(number)
      }
    ),
    read: { body, processed, owner in
      InputBatch([String(decoding: body, as: UTF8.self)], from: processed, owner: owner)
    },
    open: { start, opening in start.engine(opening) { Reminding() } }
  )
}
