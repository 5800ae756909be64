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
    if arguments.contains("--help") || arguments.contains("-h") || word == HelpCommand.name {
      let words = word == HelpCommand.name ? arguments.dropFirst() : arguments[...]
      guard let (command, _) = find(words) else {
        return HelpCommand(program: program, commands: commands, notes: notes)
      }
      return HelpCommand(program: program, commands: [command], isOfOne: true)
    }
    if ["--version", VersionCommand.name].contains(word) { return VersionCommand() }
    if word.hasPrefix("-") { return try read(ServeCommand.self, arguments[...], environment) }
    guard let (command, rest) = find(arguments[...]) else {
      throw unknown(word, arguments.dropFirst().first)
    }
    return try read(command, rest, environment)
  }

  /// Returns the command that the first word or the first two words name, and the words after them.
  private func find(
    _ arguments: ArraySlice<String>
  ) -> (command: any Command.Type, rest: ArraySlice<String>)? {
    for count in 1...2 {
      let name = arguments.prefix(count).joined(separator: " ")
      if let command = commands.first(where: { $0.name == name }) {
        return (command, arguments.dropFirst(count))
      }
    }
    return nil
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
