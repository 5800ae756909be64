import FusionHTTPMessages

/// What a client would like about its answer (RFC 7240).
///
/// Of a preference that is given twice the first counts (§2). One that we do not know, or whose value
/// makes no sense, is ignored.
struct Preferences: Sendable {
  /// How many seconds the answer may take to become what the client waits for (§4.3).
  private(set) var wait: Int?
  /// How much the answer is to say (§4.2).
  private(set) var content: Content?
  /// Whether an answer is wanted before anything is done (§4.1).
  private(set) var respondsAsync = false

  enum Content: String, Sendable {
    case minimal, representation
  }

  /// The longest wait that is granted, in seconds; who asks for more gets this.
  static let longestWait = 60

  private var seen: Set<Name> = []

  private enum Name: String {
    case wait
    case content = "return"
    case respondsAsync = "respond-async"
  }

  init() {}

  /// What a request's headers ask for.
  init(_ headers: HTTPHeaders) {
    for field in headers.fields where field.isNamed("Prefer") { read(field.value) }
  }

  /// One header line: a list of preferences, each a name, mostly a value, perhaps parameters.
  mutating func read(_ line: String) {
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
    // An empty value is none (§2).
    case .respondsAsync: respondsAsync = value.isEmpty
    }
  }
}

/// Digits and nothing else; more of them than a number holds are as good as the limit.
private func seconds(_ digits: String) -> Int? {
  guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
  return min(Int(digits) ?? .max, Preferences.longestWait)
}
