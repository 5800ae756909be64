import Synchronization

/// Inputs that were read before, by the text that they were read from.
///
/// Clients send the same few Inputs again and again: a button is one. Only Inputs without values are
/// kept, of which there are no more than cases and ways to write them; what a client types never is.
final class InputCache<Input: Sendable>: Sendable {
  private static var limit: Int { 256 }
  private let inputs = Mutex<[[UInt8]: Input]>([:])

  subscript(text: [UInt8]) -> Input? {
    inputs.withLock { $0[text] }
  }

  /// Keeps an Input that has no values.
  ///
  /// Spaces in odd places make no difference but to the number of texts, which has a limit.
  func keep(_ input: Input, readFrom text: [UInt8]) {
    inputs.withLock { inputs in
      if inputs.count < Self.limit { inputs[text] = input }
    }
  }
}
