/// A request that is to be sent, perhaps more than once.
package struct PlannedRequest {
  /// The kind of an Input: see ``ModelInput``.
  package enum Form: String, CaseIterable, Sendable {
    case add, addSlowly, ring
  }

  var inputs: [Request.Input]
  var key: String?
  var form: Form
  var preference: String?
  /// Whether the request is sent on two connections at once.
  var isDoubled = false

  var body: String {
    let inputs = inputs.map { #"{"\#(form.rawValue)":\#($0.number.value)}"# }
    return inputs.count == 1 ? inputs[0] : "[" + inputs.joined(separator: ",") + "]"
  }

  var fields: String {
    (key.map { "Idempotency-Key: \($0)\r\n" } ?? "")
      + (preference.map { "Prefer: \($0)\r\n" } ?? "")
  }
}
