/// A metric's description, with a sample for each set of labels.
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
    /// The labels as text, such as `reason="expired"`, or empty.
    let labels: String
    let value: Value
  }

  let name: String
  let help: String
  let kind: Kind
  /// The functions that return samples.
  var sources: [@Sendable () -> [Sample]]

  /// Appends the description and all samples.
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
      // Read from the last bucket, so that both agree while other threads count.
      line(name + "_count", sample.labels, Double(buckets.last?.count ?? 0), to: &text)
    }
  }

  /// Returns labels as text.
  static func text(_ labels: KeyValuePairs<String, String>) -> String {
    labels.map { "\($0)=\"\(escaped($1, quoted: true))\"" }.joined(separator: ",")
  }

  private func line(_ name: String, _ labels: String, _ value: Double, to text: inout [UInt8]) {
    text += (labels.isEmpty ? "\(name) " : "\(name){\(labels)} ").utf8
    text += "\(number(value))\n".utf8
  }
}

/// Returns a number as text: an integer without a point, infinity as `+Inf`.
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
