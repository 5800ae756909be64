import Glibc

/// A file, or standard input and output, as a tool reads and writes them.
enum Files {
  /// Reads a file to its end; nil reads standard input.
  static func read(_ path: String?) throws(ToolError) -> [UInt8] {
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw failure("read", path) }
    defer { if path != nil { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read", path) }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  /// Writes a file anew; nil writes to standard output.
  ///
  /// - Parameters:
  ///   - bytes: its contents.
  ///   - path: where it is.
  ///   - mode: who may do what with it, less what the process's mask takes; else only the owner may.
  /// - Throws: ``ToolError``, which names the file.
  static func write(
    _ bytes: [UInt8],
    to path: String? = nil,
    mode: mode_t = 0o600
  ) throws(ToolError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let descriptor = path.map { open($0, flags, mode) } ?? STDOUT_FILENO
    guard descriptor >= 0 else { throw failure("written", path) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("written", path) }
      rest = rest.dropFirst(count)
    }
    if path != nil, close(descriptor) != 0 { throw failure("written", path) }
  }

  private static func failure(_ verb: String, _ path: String?) -> ToolError {
    let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    let place = path ?? (verb == "read" ? "standard input" : "standard output")
    return ToolError("\(place) cannot be \(verb): \(reason)")
  }
}
