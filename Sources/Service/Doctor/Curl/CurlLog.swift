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
