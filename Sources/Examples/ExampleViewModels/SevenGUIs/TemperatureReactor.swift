import UIFusionKit

/// The second of the 7GUIs, Temperature Converter: each of two fields follows the other (the mutating pattern).
package final class TemperatureReactor: AsyncReactor {
  package var currentState = State()

  package init() {}

  /// The state that clients see: both fields as text, since an entry need not be a number.
  package struct State: Codable, Equatable, Sendable {
    package var celsius = ""
    package var fahrenheit = ""
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable { case celsius(String), fahrenheit(String) }

  /// The changes of State; the other field's text is nil if it stays.
  package enum Mutation: Codable, Equatable, Sendable {
    case celsius(String, fahrenheit: String?)
    case fahrenheit(String, celsius: String?)
  }

  package func reduce(_ input: Input) async -> Mutation {
    switch input {
    case .celsius(let text):
      .celsius(text, fahrenheit: Double(entry: text).map { ($0 * 9 / 5 + 32).brief })
    case .fahrenheit(let text):
      .fahrenheit(text, celsius: Double(entry: text).map { (($0 - 32) * 5 / 9).brief })
    }
  }

  package func mutate(_ state: State, mutation: Mutation) async -> State {
    switch mutation {
    case .celsius(let text, let other): State(celsius: text, fahrenheit: other ?? state.fahrenheit)
    case .fahrenheit(let text, let other): State(celsius: other ?? state.celsius, fahrenheit: text)
    }
  }
}
