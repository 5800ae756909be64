import Synchronization
import UIFusionKit

/// A cache of decoded Inputs by their JSON text.
///
/// Clients send the same few Inputs again and again, such as those of buttons. Only Inputs without values are
/// kept: there are few of them, and none contains what a user typed.
final class InputCache: Sendable {
  private static let limit = 256
  private let inputs = Mutex<[Text: InputList]>([:])

  subscript(text: [UInt8]) -> InputList? {
    inputs.withLock { $0[Text(bytes: text)] }
  }

  /// Keeps an Input without values.
  ///
  /// An Input can be written in many ways with spaces, so the number of texts is limited.
  func keep(_ input: InputList, readFrom text: [UInt8]) {
    inputs.withLock { inputs in
      if inputs.count < Self.limit { inputs[Text(bytes: text)] = input }
    }
  }
}

/// A text as a key, hashed at once: an array would be hashed byte by byte.
private struct Text: Hashable {
  let bytes: [UInt8]

  func hash(into hasher: inout Hasher) {
    // Guard: the hasher reads the bytes during the call.
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
