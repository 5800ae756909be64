/// What the command line asks for.
enum Request: Sendable {
  case serve(Configuration)
  case health(host: String, port: Int)
  case tool(any Tool)
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
      let configuration = try settings(Configuration(), rest, environment, Flag.all)
      guard (configuration.tlsCertificate == nil) == (configuration.tlsKey == nil) else {
        throw UsageError("--tls-cert and --tls-key go together: give both, or neither")
      }
      self = .serve(configuration)
    case "health":
      let flags = Flag<Configuration>.all.filter { ["host", "port"].contains($0.name) }
      let configuration = try settings(Configuration(), rest, environment, flags)
      self = .health(host: configuration.host, port: configuration.port)
    case "--version", "version":
      self = .version
    default:
      self = .tool(try readTool(command, rest, environment))
    }
  }
}

/// A command of one word, or of two.
private func readTool(
  _ command: String,
  _ arguments: ArraySlice<String>,
  _ environment: [String: String]
) throws(UsageError) -> any Tool {
  let first = arguments.first.map { "\(command) \($0)" } ?? command
  for tool in tools {
    if tool.name == command { return try settings(tool, arguments, environment) }
    if tool.name == first { return try settings(tool, arguments.dropFirst(), environment) }
  }
  let group = tools.map { $0.name }.filter { $0.hasPrefix(command + " ") }
  guard !group.isEmpty else {
    throw UsageError("there is no command \(command): uifusion --help lists them")
  }
  let words = group.map { String($0.dropFirst(command.count + 1)) }
  guard let word = arguments.first, !word.hasPrefix("-") else {
    throw UsageError("say what to do: uifusion \(command) \(words.joined(separator: "|"))")
  }
  let similar = nearest(word, in: words).map { "did you mean \($0)?" }
  throw UsageError("there is no command \(first): \(similar ?? words.joined(separator: ", "))")
}

private func settings<Command: Tool>(
  _ command: Command.Type,
  _ arguments: ArraySlice<String>,
  _ environment: [String: String]
) throws(UsageError) -> any Tool {
  let tool = try settings(Command(), arguments, environment, Command.flags)
  try tool.check()
  return tool
}

/// A command line that makes no sense, and what would.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

private func settings<Settings>(
  _ defaults: Settings,
  _ arguments: ArraySlice<String>,
  _ environment: [String: String],
  _ flags: [Flag<Settings>]
) throws(UsageError) -> Settings {
  var settings = defaults
  for flag in flags where flag.value != nil {
    guard let text = environment[flag.environmentName] else { continue }
    try set(flag, to: text, in: &settings, calledBy: flag.environmentName)
  }
  var rest = arguments
  var lists: [String: [String]] = [:]
  while let argument = rest.popFirst() {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let flag = flags.first(where: { "--" + $0.name == parts[0] }) else {
      throw UsageError(unknown(argument, flags))
    }
    guard let value = flag.value else {
      guard parts.count == 1 else { throw UsageError("--\(flag.name) takes no value") }
      try set(flag, to: "", in: &settings, calledBy: argument)
      continue
    }
    guard let text = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
      throw UsageError("\(argument) needs a value: --\(flag.name) \(value)")
    }
    // The same list that an environment variable holds; the first of them replaces that.
    if flag.isRepeatable { lists[flag.name, default: []].append(text) }
    let list = lists[flag.name]?.joined(separator: ",")
    try set(flag, to: list ?? text, in: &settings, calledBy: "--" + flag.name)
  }
  return settings
}

private func set<Settings>(
  _ flag: Flag<Settings>,
  to text: String,
  in settings: inout Settings,
  calledBy name: String
) throws(UsageError) {
  do {
    try flag.set(text, &settings)
  } catch {
    throw UsageError("\(name) must be \(error.expected), not \(text.isEmpty ? "empty" : text)")
  }
}

private func unknown<Settings>(_ argument: String, _ flags: [Flag<Settings>]) -> String {
  guard argument.hasPrefix("-") else {
    return "\(argument) is no flag: flags start with --, and uifusion --help lists them"
  }
  let start = argument.prefix { $0 != "=" }
  let similar = nearest(start, in: flags.map { "--" + $0.name })
  let advice = similar.map { "did you mean \($0)?" } ?? "uifusion --help lists them"
  return "unknown flag \(start): \(advice)"
}

/// What was probably meant; nil where nothing is near.
private func nearest(_ word: some StringProtocol, in words: [String]) -> String? {
  words.min { distance($0, word) < distance($1, word) }.flatMap {
    distance($0, word) <= 2 ? $0 : nil
  }
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
