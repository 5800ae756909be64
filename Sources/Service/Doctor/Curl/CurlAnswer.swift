import FusionStrictJSON

/// The outcome of a request.
struct CurlAnswer: Sendable {
  /// The head; nil if no answer came.
  let head: MessageHead?
  let body: [UInt8]
  /// The exit code of `curl` (curl(1), EXIT CODES).
  let exit: CInt
  /// The error message of `curl`; empty if there is none.
  let error: String
  /// The measurements, one for each address.
  let measures: [CurlMeasure]

  /// Reads the output of `curl -i`, which ends in a line of `%{json}` for each address, and its exit code.
  init(output: [UInt8], exit: CInt) {
    let lines = output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var measures: [CurlMeasure] = []
    var rest = lines[...]
    while let line = rest.last, let measure = CurlMeasure(line: line) {
      measures.insert(measure, at: 0)
      rest = rest.dropLast()
    }
    var body = Array(rest.joined(separator: [UInt8(ascii: "\n")]))
    head = MessageHead(takenFrom: &body)
    self.body = body
    self.exit = exit
    self.measures = measures
    error = exit == 0 ? "" : measures.last?.error ?? "curl ended with \(exit)"
  }

  var status: Int { head?.status ?? 0 }
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON; nil for any other body.
  var json: JSONTree? { (try? JSONDocument(body)).map { JSONTree($0.root) } }

  /// The version of the session in the body.
  var version: Int? { json?["version"]?.number.map { Int($0) } }

  /// Whether the answer is a problem of a type (RFC 9457).
  func isProblem(_ name: String) -> Bool {
    json?["type"]?.string?.hasSuffix("/problems/\(name)") ?? false
  }

  /// The status with the problem's title, or the error, for a sentence.
  var outcome: String {
    guard let head else { return error }
    let title = json?["title"]?.string ?? ""
    return title.isEmpty ? "\(head.status)" : "\(head.status) (\(title))"
  }
}

/// The times of one transfer, in seconds from its start.
struct CurlMeasure: Sendable {
  let resolved: Double
  let connected: Double
  /// The end of the TLS handshake; zero without TLS.
  let secured: Double
  let answered: Double
  let total: Double
  /// The number of new connections.
  let connections: Int
  let error: String?

  /// Reads a line of `%{json}`; fails for any other.
  init?(line: some Sequence<UInt8>) {
    guard let document = try? JSONDocument(Array(line)) else { return nil }
    let tree = JSONTree(document.root)
    guard let total = tree["time_total"]?.number else { return nil }
    self.total = total
    resolved = tree["time_namelookup"]?.number ?? 0
    connected = tree["time_connect"]?.number ?? 0
    secured = tree["time_appconnect"]?.number ?? 0
    answered = tree["time_starttransfer"]?.number ?? 0
    connections = tree["num_connects"]?.number.map { Int($0) } ?? 0
    error = tree["errormsg"]?.string
  }
}

extension JSONTree {
  var number: Double? {
    if case .number(let text) = self { Double(text) } else { nil }
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var elements: [JSONTree] {
    if case .array(let elements) = self { elements } else { [] }
  }
}

/// The log of `curl -v` about a request.
struct CurlLog: Sendable {
  let exit: CInt
  let measures: [CurlMeasure]
  private let lines: [Substring]

  init(output: [UInt8], exit: CInt) {
    self.exit = exit
    lines = String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
    measures = lines.compactMap { CurlMeasure(line: $0.utf8) }
  }

  var error: String { measures.last?.error ?? "curl ended with \(exit)" }

  /// The version of TLS, as `TLSv1.3`; nil without TLS.
  var tlsVersion: String? {
    value(after: "* SSL connection using ")?.split(separator: " ").first.map(String.init)
  }

  /// The start of the certificate in Unix time.
  var start: Int? {
    value(after: "*  start date: ").flatMap(timestamp)
  }

  /// The end of the certificate in Unix time.
  var expiry: Int? {
    value(after: "*  expire date: ").flatMap(timestamp)
  }

  private func value(after start: String) -> String? {
    lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
  }
}
