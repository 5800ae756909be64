/// The version of this service.
public let uifusionVersion = "0.1.0"

/// What `--help` prints.
func helpText() -> String {
  """
  uifusion \(uifusionVersion): hosts view models over HTTP

  uifusion serve [flags]                      run the service
  uifusion health [--host ADDRESS] [--port PORT]
                                              exit 0 if it is ready, 1 if not
  \(tools.map(line).joined(separator: "\n"))
  uifusion --version                          print the version
  uifusion --help                             print this

  Flags of serve, with their defaults:
  \(table(Flag<Configuration>.all))

  \(tools.map(section).joined(separator: "\n\n"))

  Each flag with a value is also an environment variable: --max-body is UIFUSION_MAX_BODY. A flag
  wins. SIGTERM and SIGINT stop the service gracefully; a second one stops it at once.
  The tools that only read, and backup, work beside a service. They exit with 1 where something is in
  the way; replay --check with 1 for a State that differs, with 2 for what cannot be checked.

  """
}

private func line(_ tool: any Tool.Type) -> String {
  let command = "uifusion \(tool.name) [flags]"
  return command + String(repeating: " ", count: max(1, 44 - command.count)) + tool.summary
}

private func section(_ tool: any Tool.Type) -> String {
  "Flags of \(tool.name):\n\(flags(of: tool))"
}

private func flags<Command: Tool>(of tool: Command.Type) -> String { table(Command.flags) }

private func table<Settings>(_ flags: [Flag<Settings>]) -> String {
  let lines = flags.map { flag in
    (
      left: (["--\(flag.name)"] + (flag.value.map { [$0] } ?? [])).joined(separator: " "),
      flag: flag
    )
  }
  let width = lines.map(\.left.count).max() ?? 0
  return lines.map { left, flag in
    let padding = String(repeating: " ", count: width - left.count)
    return "  \(left)\(padding)  \(flag.help) (\(flag.standard))"
  }
  .joined(separator: "\n")
}
