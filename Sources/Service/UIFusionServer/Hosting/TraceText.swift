import FusionStrictJSON
import UIFusionKit

/// What led to a State, as it is stored beside it.
extension TraceEvent where Model.Input: Encodable {
  /// `{"input":…}`, `{"action":…}` or `{"error":…}`; nil for what the store knows anyway.
  ///
  /// An action that an effect has sent has a member `"sent":true`. One that is not `Encodable` is
  /// written as Swift prints it, in a member `"text"`: it can be read, but not be run again.
  var text: [UInt8]? {
    switch self {
    case .input(let input): object("{\"input\":", input)
    case .action(let action, let isSent):
      if let action = action as? any Encodable {
        object("{\"action\":", action, isSent ? sent : "}")
      } else {
        object("{\"text\":", "\(action)", isSent ? sent : "}")
      }
    case .error(let error): object("{\"error\":", "\(error)")
    case .effect, .state, .ended: nil
    }
  }

  private var sent: String { ",\"sent\":true}" }

  private func object(_ start: String, _ value: some Encodable, _ end: String = "}") -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    bytes += start.utf8
    do {
      try StrictJSON.encode(value, into: &bytes)
    } catch {
      return object("{\"unwritable\":", "\(error)")
    }
    bytes += end.utf8
    return bytes
  }
}
