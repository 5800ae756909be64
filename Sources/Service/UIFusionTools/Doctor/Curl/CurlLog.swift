/// What `curl -v` told about a request.
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

  /// `TLSv1.3`; nil without TLS.
  var tlsVersion: String? {
    value(after: "* SSL connection using ")?.split(separator: " ").first.map(String.init)
  }

  /// When the certificate begins, in seconds since 1970.
  var start: Int? {
    value(after: "*  start date: ").flatMap(timestamp)
  }

  /// When the certificate ends, in seconds since 1970.
  var expiry: Int? {
    value(after: "*  expire date: ").flatMap(timestamp)
  }

  private func value(after start: String) -> String? {
    lines.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
  }
}
