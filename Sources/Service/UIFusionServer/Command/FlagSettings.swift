/// What the flags of a command set; as it is made, it has the defaults.
package protocol FlagSettings: Sendable {
  init()
}

extension FlagSettings {
  /// Reads flags, from the environment and then, over it, from a command line, and there the operand,
  /// too; an error advises to ask the program's `--help`.
  init(
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
        throw unknown(argument, flags, program)
      }
      guard let value = flag.value else {
        guard parts.count == 1 else { throw UsageError("--\(flag.name) takes no value") }
        try set(flag.set, to: "", calledBy: argument)
        continue
      }
      guard let text = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("\(argument) needs a value: --\(flag.name) \(value)")
      }
      // The same list that an environment variable holds; the first of them replaces that.
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

private func unknown<Settings>(
  _ argument: String,
  _ flags: [Flag<Settings>],
  _ program: String
) -> UsageError {
  guard argument.hasPrefix("-") else {
    return UsageError(
      "\(UsageError.naming(argument)) is no flag: flags start with --, and \(program) --help lists them"
    )
  }
  let start = argument.prefix { $0 != "=" }
  let similar = nearest(start, in: flags.map { "--" + $0.name })
  let advice = similar.map { "did you mean \($0)?" } ?? "\(program) --help lists them"
  return UsageError("unknown flag \(start): \(advice)")
}
