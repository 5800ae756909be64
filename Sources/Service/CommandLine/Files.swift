package import Glibc

/// Files, standard input and standard output, as a command reads and writes them.
package enum Files {
  /// Reads a whole file; nil reads standard input.
  ///
  /// - Throws: ``CommandError``, which names the file.
  package static func read(_ path: String?) throws(CommandError) -> [UInt8] {
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

  /// Reads a whole text like ``read(_:)``, without the byte order mark that some editors write.
  ///
  /// - Throws: ``CommandError``, which names the file.
  package static func readText(_ path: String?) throws(CommandError) -> [UInt8] {
    let bytes = try read(path)
    let mark = Array("\u{FEFF}".utf8)
    return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
  }

  /// Replaces the contents of a file; nil writes to standard output.
  ///
  /// - Parameters:
  ///   - bytes: the new contents.
  ///   - path: the file.
  ///   - mode: the permissions of a new file, reduced by the process's umask; the owner's alone by default.
  /// - Throws: ``CommandError``, which names the file.
  package static func write(
    _ bytes: [UInt8],
    to path: String? = nil,
    mode: mode_t = 0o600
  ) throws(CommandError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let descriptor = path.map { open($0, flags, mode) } ?? STDOUT_FILENO
    guard descriptor >= 0 else { throw failure("write", path) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("write", path) }
      rest = rest.dropFirst(count)
    }
    if path != nil, close(descriptor) != 0 { throw failure("write", path) }
  }

  private static func failure(_ verb: String, _ path: String?) -> CommandError {
    let place = path ?? (verb == "read" ? "standard input" : "standard output")
    return CommandError("cannot \(verb) \(place): \(systemError())")
  }
}

/// Opens /dev/null in place of each standard stream that is closed.
///
/// Otherwise the next file or socket would get its number, and receive what is printed. Call before anything
/// is opened.
package func openStandardStreams() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
    // `open` returns the lowest free number: this one, since those below it are open.
    _ = open("/dev/null", O_RDWR)
  }
}

/// Writes to standard error and waits for its reader: for commands, not for the running service.
package func writeToStandardError(_ bytes: [UInt8]) {
  _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
}

/// Writes to standard output and waits for its reader.
package func writeToStandardOutput(_ text: String) {
  let bytes = Array(text.utf8)
  _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
}
