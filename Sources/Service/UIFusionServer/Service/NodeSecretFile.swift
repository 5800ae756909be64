import FusionCommandLine
import Glibc

/// The file of the secret with which nodes sign their requests.
struct NodeSecretFile {
  /// The file's bytes, without white space at their ends.
  let secret: [UInt8]
  /// Whether users who are neither the owner nor of the group may read or write the file.
  let isExposed: Bool

  init(_ path: String) throws(ServiceError) {
    var status = stat()
    let bytes: [UInt8]
    do throws(CommandError) {
      bytes = try Files.readText(path)
      guard stat(path, &status) == 0 else {
        throw CommandError("cannot read \(path): \(systemError())")
      }
    } catch {
      throw ServiceError("--node-secret-file: \(error)")
    }
    isExposed = status.st_mode & 0o007 != 0
    secret = Array(bytes[...].trimmed)
    guard secret.count >= 16 else {
      throw ServiceError(
        "--node-secret-file \(path) has \(secret.count) bytes: write at least 16, by openssl rand -hex 32"
      )
    }
  }
}
