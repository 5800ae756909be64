package import FusionHTTPMessages

/// A client's wishes about its response (RFC 7240).
///
/// Of a preference that is given twice the first counts (§2). An unknown one, or one whose value makes no sense, is
/// ignored.
package struct Preferences: Sendable {
  /// The seconds for which the client waits for the result (§4.3).
  package private(set) var wait: Int?
  /// The amount that the response is to say (§4.2).
  package private(set) var content: Content?
  /// Whether a response is wanted before anything is done (§4.1).
  package private(set) var respondsAsync = false

  package enum Content: String, Sendable {
    case minimal, representation
  }

  /// The longest wait that is granted, in seconds; a longer one is cut to this.
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

  /// Reads one header line: a list of preferences, each a name, mostly a value, perhaps parameters.
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

/// Returns the number that digits alone stand for, at most the longest wait; nil for any other text.
private func seconds(_ digits: String) -> Int? {
  guard !digits.isEmpty, ByteSet.digits.containsAll(of: digits) else { return nil }
  return min(Int(digits) ?? .max, Preferences.longestWait)
}
