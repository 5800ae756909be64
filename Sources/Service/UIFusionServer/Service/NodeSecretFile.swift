import Glibc

/// The file of the secret by which nodes know each other.
struct NodeSecretFile {
  /// The file's bytes, without the line's end.
  let secret: [UInt8]
  /// Whether users of the machine may read or write it who are neither its owner nor of its group.
  let isExposed: Bool

  private static let largest = 65_536

  init(_ path: String) throws(ServiceError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    var status = stat()
    var bytes = [UInt8](repeating: 0, count: Self.largest)
    let count = descriptor < 0 ? -1 : read(descriptor, &bytes, bytes.count)
    guard count >= 0, fstat(descriptor, &status) == 0 else {
      let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
      throw ServiceError(description: "cannot read --node-secret-file \(path): \(reason)")
    }
    isExposed = status.st_mode & 0o007 != 0
    secret = bytes.prefix(count).reversed().drop { $0 == 0x0A || $0 == 0x0D }.reversed()
    guard secret.count >= 16 else {
      throw ServiceError(
        description:
          "--node-secret-file \(path) has \(secret.count) bytes: write at least 16, by openssl rand -hex 32"
      )
    }
  }
}
