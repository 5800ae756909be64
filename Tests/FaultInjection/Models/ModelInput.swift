/// The Input of every model.
enum ModelInput: Codable, Sendable {
  /// Adds the number to State, with an effect outside if the model has effects.
  case add(Int)
  /// Like `add`, with a pause in between if the model may wait.
  case addSlowly(Int)
  /// Only the effect outside.
  case ring(Int)

  var number: InputNumber {
    switch self {
    case .add(let number), .addSlowly(let number), .ring(let number): InputNumber(number)
    }
  }
}

/// The State of every model: the numbers that were added, in their order.
struct ModelState: Codable, Equatable, Sendable {
  var items: [InputNumber] = []
}
