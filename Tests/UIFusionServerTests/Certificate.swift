import Foundation
import Testing

/// A certificate for localhost, made for these tests by openssl, and its key.
final class Certificate: Sendable {
  let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
  var certificate: String { folder.appending(path: "cert.pem").path }
  var key: String { folder.appending(path: "key.pem").path }

  init(_ algorithm: String = "ec", days: Int = 1) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let kind =
      algorithm == "ec"
      ? ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"] : ["-newkey", algorithm]
    let made = try run(
      "/usr/bin/openssl",
      ["req", "-x509", "-nodes", "-days", "\(days)", "-subj", "/CN=localhost"] + kind
        + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key]
        + ["-out", certificate]
    )
    #expect(made.status == 0, "\(made.errors)")
  }

  var pem: [UInt8] {
    get throws { [UInt8](try Data(contentsOf: URL(filePath: certificate))) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Replaces the files, or only the key, by another certificate's.
  func take(from other: Certificate, onlyKey: Bool = false) throws {
    for (from, to) in [(other.certificate, certificate), (other.key, key)].suffix(onlyKey ? 1 : 2) {
      try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to))
    }
  }

  func write(_ text: String, to name: String) throws -> String {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
