import Glibc

/// Opens /dev/null in place of each standard stream that is closed.
///
/// Else a file or a socket would get its number, and what is printed would be written there. To be
/// called before anything is opened.
func openStandardStreams() {
  for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
    // Gets the lowest number that is free: this one, as those below it are open.
    _ = open("/dev/null", O_RDWR)
  }
}

/// Waits for who reads: for commands, not for the service.
package func writeToStandardError(_ bytes: [UInt8]) {
  _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
}

package func writeToStandardOutput(_ text: String) {
  let bytes = Array(text.utf8)
  _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
}
