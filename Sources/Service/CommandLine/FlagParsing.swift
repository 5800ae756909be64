/// The settings that the flags of a command change; a new value has the defaults.
package protocol FlagSettings: Sendable {
  init()
}

extension FlagSettings {
  /// Reads the command line and, for flags that it does not give, the environment.
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
    var operand = operand
    var given: [String: [String]] = [:]
    var rest = arguments
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
        given[flag.name] = [""]
        continue
      }
      guard let text = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
        throw UsageError("\(argument) needs a value: \(flag.usage)")
      }
      if !flag.isRepeatable { given[flag.name] = [] }
      given[flag.name, default: []].append(text)
    }
    for flag in flags {
      // A flag spares its variable, whatever that holds.
      if let texts = given[flag.name] {
        try set(flag.set, to: texts.joined(separator: ","), calledBy: "--" + flag.name)
      } else if let variable = try EnvironmentVariable(of: flag, in: environment) {
        try set(flag.set, to: variable.text, calledBy: variable.name)
      }
    }
  }

  /// Sets a value, without the white space around it that files and shells leave.
  private mutating func set(
    _ setter: Flag<Self>.Setter,
    to text: String,
    calledBy name: String
  ) throws(UsageError) {
    let text = text.trimmed
    do throws(BadValue) {
      try text.checkAsValue()
      try setter(text, &self)
    } catch {
      let given = error.isShown ? ", not \(text.isEmpty ? "empty" : text)" : UsageError.withheld
      throw UsageError("\(name) must be \(error.expected)\(given)")
    }
  }
}

extension String {
  /// The text without white space and byte order marks at its ends.
  var trimmed: String {
    let isBlank = { (character: Unicode.Scalar) in
      character.properties.isWhitespace || character == "\u{FEFF}"
    }
    let text = unicodeScalars.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
    return String(String.UnicodeScalarView(text))
  }

  /// Throws for a text that no flag takes: it would pass for the name of a file.
  fileprivate func checkAsValue() throws(BadValue) {
    guard !unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw BadValue(expected: "one line without control characters", isShown: false)
    }
    if let mark = first, "\"'".contains(mark), last == mark, count > 1 {
      throw BadValue(expected: "a value without \(mark) around it", isShown: false)
    }
  }
}
