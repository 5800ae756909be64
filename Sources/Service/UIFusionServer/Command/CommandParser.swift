import FusionCommandLine

/// Finds the command of a command line and reads its flags.
struct CommandParser {
  /// The commands, in the order of the help.
  private let commands: [any Command.Type]
  private let notes: String
  /// The program's name in messages.
  private let program: String

  init(_ tools: UIFusionCommand.Tools = .none, program: String) {
    self.program = program
    notes = tools.notes
    commands = [ServeCommand.self, HealthCommand.self] + tools.commands
  }

  /// Reads a command line without the program's name; one that begins with a flag is for `serve`.
  ///
  /// Flags win over environment variables.
  func command(
    _ arguments: [String],
    environment: [String: String]
  ) throws(UsageError) -> any Command {
    guard let word = arguments.first else {
      throw UsageError("say what to do: \(program) \(ServeCommand.name)")
    }
    if arguments == ["help", ServeCommand.name, "--markdown"] { return FlagsArticleCommand() }
    if arguments.contains("--help") || arguments.contains("-h") || word == HelpCommand.name {
      return HelpCommand(program: program, commands: commands, notes: notes)
    }
    if ["--version", VersionCommand.name].contains(word) { return VersionCommand() }
    if word.hasPrefix("-") { return try read(ServeCommand.self, arguments[...], environment) }
    let rest = arguments.dropFirst()
    let words = rest.first.map { "\(word) \($0)" } ?? word
    for command in commands {
      if command.name == word { return try read(command, rest, environment) }
      if command.name == words { return try read(command, rest.dropFirst(), environment) }
    }
    throw unknown(word, rest.first)
  }

  private func read<Found: Command>(
    _ command: Found.Type,
    _ arguments: ArraySlice<String>,
    _ environment: [String: String]
  ) throws(UsageError) -> any Command {
    let command = try Found(arguments, environment, Found.operand, Found.flags, program)
    try command.validate()
    return command
  }

  private func unknown(_ word: String, _ second: String?) -> UsageError {
    let group = commands.map { $0.name }.filter { $0.hasPrefix(word + " ") }
    guard !group.isEmpty else {
      return UsageError("unknown command \(UsageError.naming(word)): see \(program) --help")
    }
    let words = group.map { String($0.dropFirst(word.count + 1)) }
    guard let second, !second.hasPrefix("-") else {
      return UsageError("say what to do: \(program) \(word) \(words.joined(separator: "|"))")
    }
    let similar = nearestWord(to: second, in: words).map { "did you mean \($0)?" }
    let advice = similar ?? words.joined(separator: ", ")
    return UsageError("unknown command \(word) \(UsageError.naming(second)): \(advice)")
  }
}
