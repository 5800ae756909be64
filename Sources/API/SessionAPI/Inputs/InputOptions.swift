import FusionHTTPMessages
import FusionHTTPToolkit
package import FusionStrictJSON
import UIFusionKit

/// The options in the headers of a request with Inputs.
struct InputOptions: Sendable {
  let preferences: Preferences
  /// The versions in `If-Match`, compared when the first Input is processed.
  let condition: EntityTags?
  /// The `Idempotency-Key`, by which a repetition of the request is recognized.
  let key: String?
  /// The place of the Inputs in a stream; nil if the body is all.
  let part: InputPart?
  /// Whether a large answer may be compressed.
  let prefersGzip: Bool

  /// Returns nil if the headers contain no options, so that nothing is allocated for such requests.
  init?(_ headers: HTTPHeaders) throws(Problem) {
    guard headers.fields.contains(where: isOption) else { return nil }
    preferences = Preferences(headers)
    condition = headers.list("If-Match").map(EntityTags.init)
    if condition?.isMalformed == true { throw .malformedCondition }
    // The condition is checked when the Input is processed; a 202 could not report the result.
    if condition != nil, preferences.respondsAsync { throw .unansweredCondition }
    key = try idempotencyKey(headers)
    part = headers[InputPart.header].flatMap(InputPart.init)
    prefersGzip = AcceptedCodings(headers.list("Accept-Encoding")).preferGzip
  }
}

private func isOption(_ field: HTTPHeaders.Field) -> Bool {
  switch field.name.utf8.count {
  case 6: field.isNamed("Prefer")
  case 8: field.isNamed("If-Match")
  case 13: field.isNamed(InputPart.header)
  case 15: field.isNamed("Idempotency-Key") || field.isNamed("Accept-Encoding")
  default: false
  }
}

/// Returns the single `Idempotency-Key`: 1 to 255 visible ASCII characters, bare or as a string by RFC 8941
/// §3.3.3 (draft-ietf-httpapi-idempotency-key-header).
///
/// Both notations give the same key.
private func idempotencyKey(_ headers: HTTPHeaders) throws(Problem) -> String? {
  let values = headers.all("Idempotency-Key")
  guard let value = values.first else { return nil }
  var key: String? = value
  if value.utf8.first == UInt8(ascii: "\"") {
    var scanner = FieldScanner(value)
    key = scanner.quotedString()
    if !scanner.isAtEnd { key = nil }
  }
  guard let key, values.count == 1, 1...255 ~= key.utf8.count,
    key.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
  else { throw .malformedKey }
  return key
}

/// The error for an Input that cannot be decoded, with the Input's index in its batch.
package struct InputError: Error, CustomStringConvertible {
  let error: JSONError
  /// The case that the Input names, which may not exist.
  let caseName: String?
  let index: Int?

  package var description: String { "\(error)" }

  package init(_ error: JSONError, reading value: JSONValue, at index: Int?) {
    self.error = error
    caseName = value.string ?? (value.count == 1 ? value.members.first { _ in true }?.name : nil)
    self.index = index
  }

  /// Returns the problem for the client; `known` contains the cases of the view model's Inputs.
  func problem(known: [String]) -> Problem {
    // If the case exists, but has no such value, the case is the faulty member.
    let member = error.member ?? caseName.flatMap { known.contains($0) ? $0 : nil }
    let problem = Problem.invalidInput.filled(with: "\(error)").adding("known", known)
      .naming(member)
    return index.map { problem.adding("index", json: Array(String($0).utf8)) } ?? problem
  }
}

extension HTTPHeaders {
  /// The trace that a request belongs to; nil if it names none, or several (W3C Trace Context §3.2).
  var traceContext: TraceContext? {
    guard self["traceparent"] != nil, let value = list("traceparent") else { return nil }
    return TraceContext(traceparent: value)
  }
}
