import SessionAPI

/// One flag of `uifusion serve`: its name, what it is for, and what it sets.
struct Flag: Sendable {
  let name: String
  /// What stands for its value in the help.
  let value: String
  let help: String
  /// The default, as it would be written.
  let standard: String
  /// Whether it may be given more than once; its value is then a list, with commas.
  var isRepeatable = false
  /// Sets it in a configuration; throws what a value has to look like.
  let set: @Sendable (_ text: String, _ configuration: inout Configuration) throws(BadValue) -> Void

  /// What a value has to look like, to follow "must be".
  struct BadValue: Error {
    let expected: String
  }

  /// `--max-body` is `UIFUSION_MAX_BODY`.
  var environmentName: String {
    "UIFUSION_" + String(name.map { $0 == "-" ? "_" : Character($0.uppercased()) })
  }
}

extension Flag {
  /// Every flag, in the order in which the help lists them.
  static let all = [
    Flag(
      name: "host",
      value: "ADDRESS",
      help: "address to listen on",
      standard: Configuration().host
    ) { (text, configuration) throws(BadValue) in
      // In brackets, as in a URL (RFC 3986 §3.2.2), or without.
      let address =
        text.hasPrefix("[") && text.hasSuffix("]") ? text.dropFirst().dropLast() : text[...]
      guard !address.isEmpty else { throw BadValue(expected: "an address") }
      configuration.host = String(address)
    },
    Flag("port", "PORT", "port to listen on; 0 picks a free one", \.port, 0...65_535),
    Flag(
      name: "data",
      value: "FOLDER|memory",
      help: "where sessions are kept",
      standard: "./.uifusion"
    ) { (text, configuration) throws(BadValue) in
      guard !text.isEmpty else { throw BadValue(expected: "a folder, or memory") }
      configuration.data = text == "memory" ? .memory : .folder(text)
    },
    Flag(
      "durability",
      "what acknowledged Inputs survive",
      \.durability
    ),
    Flag("public", "FOLDER", "folder of the front end", \.publicFolder),
    Flag("session-ttl", "how long an idle session is kept", \.sessionTTL, atLeast: 0.001),
    Flag("heartbeat", "how long a stream may be silent", \.heartbeat, atLeast: 0.02),
    Flag("drain", "how long a stop waits for answers", \.drain),
    Flag("drain-delay", "how long a stop announces itself first", \.drainDelay),
    Flag("max-body", "BYTES", "size of a request's body", \.maxBody, 1...1 << 30),
    Flag(
      "max-queued-inputs",
      "N",
      "Inputs that may wait in a session",
      \.maxQueuedInputs,
      1...1_000_000
    ),
    Flag("max-sessions", "N", "sessions", \.maxSessions, 1...100_000_000),
    Flag("max-streams", "N", "streams", \.maxStreams, 0...10_000_000),
    Flag("max-connections", "N", "connections", \.maxConnections, 1...10_000_000),
    Flag(
      "allow-origin",
      "ORIGIN",
      "other origin whose pages may use it; repeatable",
      \.allowOrigins,
      standard: "none",
      example: "an origin such as https://example.org",
      AllowedOrigins.normalized
    ),
    Flag(
      "allow-host",
      "HOST",
      "Host that is answered; repeatable",
      \.allowHosts,
      standard: "loopback names, or any",
      example: "a host such as example.org or example.org:8080",
      AllowedHosts.normalized
    ),
    Flag("tls-cert", "FILE", "certificate in PEM, to speak TLS", \.tlsCertificate),
    Flag("tls-key", "FILE", "the certificate's key in PEM", \.tlsKey),
    Flag("log", "how a line of the log is written", \.logFormat),
    Flag("log-level", "what is logged at the least", \.logLevel),
  ]

  private init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Configuration, String> & Sendable
  ) {
    self.init(name: name, value: value, help: help, standard: Configuration()[keyPath: member]) {
      (text, configuration) throws(BadValue) in
      guard !text.isEmpty else { throw BadValue(expected: "something") }
      configuration[keyPath: member] = text
    }
  }

  private init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Configuration, String?> & Sendable
  ) {
    self.init(name: name, value: value, help: help, standard: "none") {
      (text, configuration) throws(BadValue) in
      guard !text.isEmpty else { throw BadValue(expected: "something") }
      configuration[keyPath: member] = text
    }
  }

  private init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Configuration, Int> & Sendable,
    _ range: ClosedRange<Int>
  ) {
    let standard = String(Configuration()[keyPath: member])
    self.init(name: name, value: value, help: help, standard: standard) {
      (text, configuration) throws(BadValue) in
      guard let number = Int(text), range.contains(number) else {
        throw BadValue(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      configuration[keyPath: member] = number
    }
  }

  private init(
    _ name: String,
    _ help: String,
    _ member: any WritableKeyPath<Configuration, Duration> & Sendable,
    atLeast least: Double = 0
  ) {
    let standard = String(Configuration()[keyPath: member].components.seconds)
    self.init(name: name, value: "SECONDS", help: help, standard: standard) {
      (text, configuration) throws(BadValue) in
      guard let seconds = Double(text), seconds >= least, seconds <= 1_000_000_000 else {
        let least = least == 0 ? "0" : "\(least)"
        throw BadValue(expected: "a number of seconds from \(least) to 1000000000")
      }
      configuration[keyPath: member] = .seconds(seconds)
    }
  }

  private init(
    _ name: String,
    _ value: String,
    _ help: String,
    _ member: any WritableKeyPath<Configuration, [String]> & Sendable,
    standard: String,
    example: String,
    _ normalized: @escaping @Sendable (String) -> String?
  ) {
    self.init(name: name, value: value, help: help, standard: standard, isRepeatable: true) {
      (text, configuration) throws(BadValue) in
      configuration[keyPath: member] = try text.split(
        separator: ",",
        omittingEmptySubsequences: false
      ).map { item throws(BadValue) in
        guard let item = normalized(item.filter { $0 != " " }) else {
          throw BadValue(expected: example)
        }
        return item
      }
    }
  }

  private init<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String,
    _ help: String,
    _ member: any WritableKeyPath<Configuration, Choice> & Sendable
  ) where Choice.RawValue == String {
    let choices = Choice.allCases.map(\.rawValue)
    let standard = Configuration()[keyPath: member].rawValue
    self.init(name: name, value: choices.joined(separator: "|"), help: help, standard: standard) {
      (text, configuration) throws(BadValue) in
      guard let choice = Choice(rawValue: text) else {
        throw BadValue(expected: "one of \(choices.joined(separator: ", "))")
      }
      configuration[keyPath: member] = choice
    }
  }
}
