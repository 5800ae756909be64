/// What goes under one name: its description, and a sample for each set of labels.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
struct Family: Sendable {
  enum Kind: String, Sendable {
    case counter, gauge, histogram
  }

  enum Value {
    case number(Double)
    case histogram(Histogram)
  }

  struct Sample {
    /// `reason="expired"`, or nothing.
    let labels: String
    let value: Value
  }

  let name: String
  let help: String
  let kind: Kind
  /// Each finds some of its samples.
  var sources: [@Sendable () -> [Sample]]

  func append(to text: inout [UInt8]) {
    text += "# HELP \(name) \(escaped(help, quoted: false))\n# TYPE \(name) \(kind.rawValue)\n".utf8
    for source in sources {
      for sample in source() { append(sample, to: &text) }
    }
  }

  private func append(_ sample: Sample, to text: inout [UInt8]) {
    switch sample.value {
    case .number(let value):
      line(name, sample.labels, value, to: &text)
    case .histogram(let histogram):
      let buckets = histogram.buckets
      let labels = sample.labels.isEmpty ? "" : sample.labels + ","
      for bucket in buckets {
        let bound = "le=\"\(number(bucket.bound))\""
        line(name + "_bucket", labels + bound, Double(bucket.count), to: &text)
      }
      line(name + "_sum", sample.labels, histogram.sum, to: &text)
      // The last bucket's, so that the two agree whatever is counted meanwhile.
      line(name + "_count", sample.labels, Double(buckets.last?.count ?? 0), to: &text)
    }
  }

  static func text(_ labels: KeyValuePairs<String, String>) -> String {
    labels.map { "\($0)=\"\(escaped($1, quoted: true))\"" }.joined(separator: ",")
  }

  private func line(_ name: String, _ labels: String, _ value: Double, to text: inout [UInt8]) {
    text += (labels.isEmpty ? "\(name) " : "\(name){\(labels)} ").utf8
    text += "\(number(value))\n".utf8
  }
}

/// A whole number without a point, `+Inf` in the format's own spelling.
private func number(_ value: Double) -> String {
  if value == .infinity { return "+Inf" }
  return Int(exactly: value).map { String($0) } ?? "\(value)"
}

private func escaped(_ text: String, quoted: Bool) -> String {
  text.reduce(into: "") { result, character in
    switch character {
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\"" where quoted: result += "\\\""
    default: result.append(character)
    }
  }
}
