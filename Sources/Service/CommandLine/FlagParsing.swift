/// The settings that the flags of a command change; a new value has the defaults.
package protocol FlagSettings: Sendable {
  init()
}

extension FlagSettings {
  /// Reads the environment and then the command line, which wins.
  ///
  /// - Parameters:
  ///   - arguments: the words after the command's name.
  ///   - environment: the process's environment variables.
  ///   - operand: the one word that is not a flag; nil for a command without one.
  ///   - flags: the command's flags.
  ///   - program: the program's name, for messages that point to its `--help`.
  /// - Throws: ``UsageError`` for an unknown flag, a missing value or a bad one.
  package init(
    _ arguments: ArraySlice<String>,
    _ environment: [String: String],
    _ operand: Operand<Self>?,
    _ flags: [Flag<Self>],
    _ program: String
  ) throws(UsageError) {
    self.init()
    for flag in flags where flag.value != nil {
      guard let text = environment[flag.environmentName] else { continue }
      try set(flag.set, to: text, calledBy: flag.environmentName)
    }
    var rest = arguments
    var operand = operand
    var lists: [String: [String]] = [:]
    while let argument = rest.popFirst() {
      if let taken = operand, !argument.hasPrefix("-") {
        try set(taken.set, to: argument, calledBy: taken.name)
        operand = nil
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let flag = flags.first(where: { "--" + $0.name == parts[0] }) else {
        throw UsageError(unknown: argument, flags.map(\.name), program)
      }
      guard flag.value != nil else {
        guard parts.count == 1 else { throw UsageError("--\(flag.name) takes no value") }
        try set(flag.set, to: "", calledBy: argument)
        continue
      }
      guard let text = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("\(argument) needs a value: \(flag.usage)")
      }
      // The first flag of a list replaces the list of the environment variable.
      if flag.isRepeatable { lists[flag.name, default: []].append(text) }
      let list = lists[flag.name]?.joined(separator: ",")
      try set(flag.set, to: list ?? text, calledBy: "--" + flag.name)
    }
  }

  private mutating func set(
    _ setter: Flag<Self>.Setter,
    to text: String,
    calledBy name: String
  ) throws(UsageError) {
    do {
      try setter(text, &self)
    } catch {
      let given = error.isShown ? ", not \(text.isEmpty ? "empty" : text)" : UsageError.withheld
      throw UsageError("\(name) must be \(error.expected)\(given)")
    }
  }
}
