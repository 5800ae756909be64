package import FusionHTTPMessages

/// A client's preferences for its response (RFC 7240).
///
/// If a preference is repeated, the first one counts (§2). Unknown preferences and invalid values are
/// ignored.
package struct Preferences: Sendable {
  /// The seconds for which the client waits for the result (§4.3).
  package private(set) var wait: Int?
  /// The requested amount of content in the response (§4.2).
  package private(set) var content: Content?
  /// Whether a response is requested before the work is done (§4.1).
  package private(set) var respondsAsync = false

  package enum Content: String, Sendable {
    case minimal, representation
  }

  /// The maximum wait in seconds; a longer one is reduced to this.
  package static let longestWait = 60

  private var seen: Set<Name> = []

  private enum Name: String {
    case wait
    case content = "return"
    case respondsAsync = "respond-async"
  }

  package init() {}

  /// Reads the preferences of a request.
  package init(_ headers: HTTPHeaders) {
    for field in headers.fields where field.isNamed("Prefer") { read(field.value) }
  }

  /// Parses one header line: a list of preferences, each a name, usually with a value, possibly with
  /// parameters.
  package mutating func read(_ line: String) {
    var scanner = FieldScanner(line)
    while !scanner.isAtEnd {
      scanner.skipBlanks()
      let name = scanner.token().lowercased()
      scanner.skipBlanks()
      var value: String? = ""
      if scanner.scan("=") {
        scanner.skipBlanks()
        let token = scanner.token()
        value = token.isEmpty ? scanner.quotedString() : token
      }
      scanner.skipElement()
      if let name = Name(rawValue: name), seen.insert(name).inserted, let value {
        note(name, value.lowercased())
      }
    }
  }

  private mutating func note(_ name: Name, _ value: String) {
    switch name {
    case .wait: wait = seconds(value)
    case .content: content = Content(rawValue: value)
    // An empty value is no value (§2).
    case .respondsAsync: respondsAsync = value.isEmpty
    }
  }
}

/// Returns the number that the digits stand for, at most the longest wait; nil for any other text.
private func seconds(_ digits: String) -> Int? {
  guard !digits.isEmpty, ByteSet.digits.containsAll(of: digits) else { return nil }
  return min(Int(digits) ?? .max, Preferences.longestWait)
}
