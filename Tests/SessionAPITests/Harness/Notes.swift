import UIFusionKit

/// A view model with every form of Input, and with parameters.
struct Notes: ViewModelProtocol {
  enum Input: Codable, Sendable {
    case clear
    case add(String)
    case rename(from: String, to: String)
    case tag(Note)
    case wish(String?)
  }

  typealias Action = Input

  struct Note: Codable, Sendable {
    var text: String
    var stars: Int?
  }

  struct State: Codable, Equatable, Sendable {
    var notes: [String] = []
    var owner: String?
  }

  struct Parameters: Decodable, Sendable {
    var owner: String?
    var size: Int?
  }

  struct TooLarge: Error {}

  var state = State()

  init(_ parameters: Parameters) throws {
    if let size = parameters.size, size > 10 { throw TooLarge() }
    state.owner = parameters.owner
  }

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .clear: state.notes = []
    case .add(let note): state.notes.append(note)
    case .rename(let old, let new): state.notes = state.notes.map { $0 == old ? new : $0 }
    case .tag(let note): state.notes.append("\(note.text) \(note.stars ?? 0)")
    case .wish(let wish): state.notes.append(wish ?? "nothing")
    }
  }
}
