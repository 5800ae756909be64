import StrictJSON
import UIFusionKit

/// What led to a State, as it is stored beside it.
extension TraceEvent where Model.Input: Encodable {
  /// `{"input":…}`, `{"action":…}` or `{"error":…}`; nil for what the store knows anyway.
  ///
  /// An action that an effect has sent has a member `"sent":true`. One that is not `Encodable` is
  /// written as Swift prints it, in a member `"text"`: it can be read, but not be run again.
  var text: [UInt8]? {
    switch self {
    case .input(let input):
      object { try $0.append("input", input) }
    case .action(let action, let isSent):
      object { object in
        if let action = action as? any Encodable {
          try object.append("action", action)
        } else {
          object.append("text", text: "\(action)")
        }
        if isSent { object.append("sent", literal: "true") }
      }
    case .error(let error): object { $0.append("error", text: "\(error)") }
    case .effect, .state, .ended: nil
    }
  }

  private func object(_ body: (inout JSONObject) throws -> Void) -> [UInt8]? {
    var object = JSONObject()
    do {
      try body(&object)
    } catch {
      object = JSONObject()
      object.append("unwritable", text: "\(error)")
    }
    return object.finished
  }
}

/// Writes the members of an object.
private struct JSONObject {
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  var finished: [UInt8] { bytes + [UInt8(ascii: "}")] }

  mutating func append(_ name: String, _ value: some Encodable) throws {
    let text = try StrictJSON.encode(value)
    appendName(name)
    bytes += text
  }

  mutating func append(_ name: String, text: String) {
    appendName(name)
    StrictJSON.append(text, to: &bytes)
  }

  mutating func append(_ name: String, literal: StaticString) {
    appendName(name)
    bytes += "\(literal)".utf8
  }

  private mutating func appendName(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    StrictJSON.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }
}
