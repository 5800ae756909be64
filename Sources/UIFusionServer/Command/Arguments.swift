/// What the command line asks for.
enum Request: Sendable {
  case serve(Configuration)
  case health(host: String, port: Int)
  case help
  case version

  /// Reads a command line without the program's name.
  ///
  /// Flags win over environment variables.
  init(_ arguments: [String], environment: [String: String]) throws(UsageError) {
    var rest = arguments[...]
    guard let command = rest.popFirst() else {
      throw UsageError("say what to do: uifusion serve")
    }
    if arguments.contains("--help") || arguments.contains("-h") || command == "help" {
      self = .help
      return
    }
    switch command {
    case "serve":
      let configuration = try configuration(rest, environment, flags: Flag.all)
      guard (configuration.tlsCertificate == nil) == (configuration.tlsKey == nil) else {
        throw UsageError("--tls-cert and --tls-key go together: give both, or neither")
      }
      self = .serve(configuration)
    case "health":
      let flags = Flag.all.filter { ["host", "port"].contains($0.name) }
      let configuration = try configuration(rest, environment, flags: flags)
      self = .health(host: configuration.host, port: configuration.port)
    case "--version", "version":
      self = .version
    default:
      throw UsageError("there is no command \(command): uifusion --help lists them")
    }
  }
}

/// A command line that makes no sense, and what would.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

private func configuration(
  _ arguments: ArraySlice<String>,
  _ environment: [String: String],
  flags: [Flag]
) throws(UsageError) -> Configuration {
  var configuration = Configuration()
  for flag in flags {
    guard let text = environment[flag.environmentName] else { continue }
    try set(flag, to: text, in: &configuration, calledBy: flag.environmentName)
  }
  var rest = arguments
  var lists: [String: [String]] = [:]
  while let argument = rest.popFirst() {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let flag = flags.first(where: { "--" + $0.name == parts[0] }) else {
      throw UsageError(unknown(argument, flags))
    }
    guard let text = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
      throw UsageError("\(argument) needs a value: --\(flag.name) \(flag.value)")
    }
    // The same list that an environment variable holds; the first of them replaces that.
    if flag.isRepeatable { lists[flag.name, default: []].append(text) }
    let list = lists[flag.name]?.joined(separator: ",")
    try set(flag, to: list ?? text, in: &configuration, calledBy: "--" + flag.name)
  }
  return configuration
}

private func set(
  _ flag: Flag,
  to text: String,
  in configuration: inout Configuration,
  calledBy name: String
) throws(UsageError) {
  do {
    try flag.set(text, &configuration)
  } catch {
    throw UsageError("\(name) must be \(error.expected), not \(text.isEmpty ? "empty" : text)")
  }
}

private func unknown(_ argument: String, _ flags: [Flag]) -> String {
  guard argument.hasPrefix("-") else {
    return "\(argument) is no flag: flags start with --, and uifusion --help lists them"
  }
  let start = argument.prefix { $0 != "=" }
  let similar = flags.map { "--" + $0.name }.min { distance($0, start) < distance($1, start) }
  guard let similar, distance(similar, start) <= 2 else {
    return "unknown flag \(start): uifusion --help lists them"
  }
  return "unknown flag \(start): did you mean \(similar)?"
}

/// How many letters have to be added, dropped or changed (Levenshtein).
private func distance(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let substitution = diagonal + (letter == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}
