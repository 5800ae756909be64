import Glibc

/// Writes whole: a line that two threads write is never mixed, as long as it is one `write`.
package func writeToStandardError(_ bytes: [UInt8]) {
  _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
}

package func writeToStandardOutput(_ text: String) {
  let bytes = Array(text.utf8)
  _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
}
