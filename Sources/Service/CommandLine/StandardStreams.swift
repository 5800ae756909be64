import Glibc

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
