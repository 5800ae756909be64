import FusionHTTPMessages

/// What a request to take Inputs asks for beyond that, in its headers.
struct InputOptions: Sendable {
  let preferences: Preferences
  /// Looked at when the first Input is processed.
  let condition: EntityTags?
  /// What makes a repetition of the request known as one.
  let key: String?
  /// Whether a large answer may be compressed.
  let prefersGzip: Bool

  /// Nil where the headers ask for nothing; for these requests nothing is made.
  init?(_ headers: HTTPHeaders) throws(Problem) {
    guard headers.fields.contains(where: isOption) else { return nil }
    preferences = Preferences(headers)
    condition = headers.list("If-Match").map(EntityTags.init)
    if condition?.isMalformed == true { throw .malformedCondition }
    // Before the Input is processed nobody knows whether the condition is met; 202 could not tell.
    if condition != nil, preferences.respondsAsync { throw .unansweredCondition }
    key = try idempotencyKey(headers)
    prefersGzip = AcceptedCodings(headers.list("Accept-Encoding")).preferGzip
  }
}

private func isOption(_ field: HTTPHeaders.Field) -> Bool {
  switch field.name.utf8.count {
  case 6: field.isNamed("Prefer")
  case 8: field.isNamed("If-Match")
  case 15: field.isNamed("Idempotency-Key") || field.isNamed("Accept-Encoding")
  default: false
  }
}

/// The one `Idempotency-Key`: 1 to 255 visible ASCII characters, bare or as a string of RFC 8941
/// §3.3.3, as draft-ietf-httpapi-idempotency-key-header has it.
///
/// Both ways to write a key give the same one.
private func idempotencyKey(_ headers: HTTPHeaders) throws(Problem) -> String? {
  let values = headers.fields.filter { $0.isNamed("Idempotency-Key") }.map(\.value)
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
