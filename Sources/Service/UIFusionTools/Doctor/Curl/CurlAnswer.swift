import FusionStrictJSON

/// What came of a request.
struct CurlAnswer: Sendable {
  /// Nil where no answer came.
  let head: MessageHead?
  let body: [UInt8]
  /// How `curl` ended: 0, or what went wrong (curl(1), EXIT CODES).
  let exit: CInt
  /// What went wrong, in its words; empty where nothing did.
  let error: String
  /// What it measured: a line for each address.
  let measures: [CurlMeasure]

  /// - Parameters:
  ///   - output: what `curl -i` wrote, and after it a line for each address: `%{json}`.
  ///   - exit: how it ended.
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

  /// What its JSON says; nil where it has none.
  var json: JSONTree? { (try? JSONDocument(body)).map { JSONTree($0.root) } }

  /// The version of the session that it tells of.
  var version: Int? { json?["version"]?.number.map { Int($0) } }

  /// Whether the service refused it with that problem (RFC 9457).
  func isProblem(_ name: String) -> Bool {
    json?["type"]?.string?.hasSuffix("/problems/\(name)") ?? false
  }

  /// In a sentence: what came.
  var outcome: String {
    guard let head else { return error }
    let title = json?["title"]?.string ?? ""
    return title.isEmpty ? "\(head.status)" : "\(head.status) (\(title))"
  }
}

/// What `curl` measured of one transfer, in seconds from its beginning.
struct CurlMeasure: Sendable {
  let resolved: Double
  let connected: Double
  /// Zero without TLS.
  let secured: Double
  let answered: Double
  let total: Double
  /// How many connections it had to make.
  let connections: Int
  let error: String?

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
