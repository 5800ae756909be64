/// The Input of every model.
enum ModelInput: Codable, Sendable {
  /// Adds the number to State, with an external effect if the model has effects.
  case add(Int)
  /// Like `add`, but pauses between effect and State if the model is async.
  case addSlowly(Int)
  /// Begins the external effect only.
  case ring(Int)

  var number: InputNumber {
    switch self {
    case .add(let number), .addSlowly(let number), .ring(let number): InputNumber(number)
    }
  }
}

/// The State of every model: the added numbers in order.
struct ModelState: Codable, Equatable, Sendable {
  var items: [InputNumber] = []
}
