/// What a client asks of any of the models.
enum ModelInput: Codable, Sendable {
  /// Adds the number to State, and does something outside where the model has effects.
  case add(Int)
  /// The same with a pause in between, where the model may wait.
  case addSlowly(Int)
  /// Only does something outside.
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
