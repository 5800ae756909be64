import Synchronization
import UIFusionKit

/// Inputs that were read before, by the text that they were read from.
///
/// Clients send the same few Inputs again and again: a button is one. Only Inputs without values are
/// kept, of which there are no more than cases and ways to write them; what a client types never is.
final class InputCache: Sendable {
  private static let limit = 256
  private let inputs = Mutex<[Text: InputList]>([:])

  subscript(text: [UInt8]) -> InputList? {
    inputs.withLock { $0[Text(bytes: text)] }
  }

  /// Keeps an Input that has no values.
  ///
  /// Spaces in odd places make no difference but to the number of texts, which has a limit.
  func keep(_ input: InputList, readFrom text: [UInt8]) {
    inputs.withLock { inputs in
      if inputs.count < Self.limit { inputs[Text(bytes: text)] = input }
    }
  }
}

/// A text as a key, hashed as one: an array would be hashed byte by byte.
private struct Text: Hashable {
  let bytes: [UInt8]

  func hash(into hasher: inout Hasher) {
    // Guard: the hasher reads the bytes during the call.
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
