/// The version of this service.
public let uifusionVersion = "0.1.0"

/// What `--help` prints.
func helpText() -> String {
  let flags = Flag.all.map { (left: "--\($0.name) \($0.value)", flag: $0) }
  let width = flags.map(\.left.count).max() ?? 0
  let lines = flags.map { left, flag in
    let padding = String(repeating: " ", count: width - left.count)
    return "  \(left)\(padding)  \(flag.help) (\(flag.standard))"
  }
  return """
    uifusion \(uifusionVersion): hosts view models over HTTP

    uifusion serve [flags]                      run the service
    uifusion health [--host ADDRESS] [--port PORT]
                                                exit 0 if it is ready, 1 if not
    uifusion --version                          print the version
    uifusion --help                             print this

    Flags of serve, with their defaults:
    \(lines.joined(separator: "\n"))

    Each flag is also an environment variable: --max-body is UIFUSION_MAX_BODY. A flag wins.
    SIGTERM and SIGINT stop the service gracefully; a second one stops it at once.

    """
}
