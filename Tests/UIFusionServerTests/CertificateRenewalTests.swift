import Foundation
import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Synchronization
import Testing
import UIFusionTesting

@testable import UIFusionServer

/// A server with the certificate in some files.
private final class Server: Sendable {
  private struct Seen {
    var certificates: [[UInt8]] = []
    var now = Date.now
  }

  let renewal: CertificateRenewal
  private let lines = Lines()
  private let seen: Shared

  private final class Shared: Sendable {
    let seen = Mutex(Seen())
  }

  init(_ certificate: String, _ key: String) throws {
    var configuration = Configuration()
    configuration.tlsCertificate = certificate
    configuration.tlsKey = key
    let identity = try #require(try configuration.tlsIdentity)
    var settings = MicrohttpdServer.Configuration(port: 0)
    settings.tls = identity
    settings.threads = 1
    let server = try MicrohttpdServer(settings) { _, respond in respond(HTTPResponse(204)) }
    let shared = Shared()
    seen = shared
    let log = Log(format: .text, level: .info) { [lines] in lines.add($0) }
    renewal = try CertificateRenewal(
      configuration,
      showing: identity,
      date: { shared.seen.withLock { $0.now } },
      log
    ) { identity throws(StartError) in
      try server.renew(identity)
      shared.seen.withLock { $0.certificates.append(identity.certificate) }
    }
  }

  convenience init(_ files: Certificate) throws {
    try self.init(files.certificate, files.key)
  }

  /// The certificates that replaced others.
  var renewed: [[UInt8]] { seen.seen.withLock { $0.certificates } }

  /// Checks the files once; returns the new lines of the log.
  func look(inDays days: Double = 0) -> String {
    let before = lines.text.count
    seen.seen.withLock { $0.now = Date.now + days * 86_400 }
    renewal.check()
    return String(lines.text.dropFirst(before))
  }
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A certificate renewed on the disk` {
  private let files: Certificate
  private let other: Certificate

  init() throws {
    (files, other) = (try Certificate(), try Certificate(days: 40))
  }

  @Test func `is used at the next check, and unchanged files are left alone`() throws {
    let server = try Server(files)
    let before = server.renewal.notAfter
    #expect(server.look() == "" && server.look() == "")
    try files.take(from: other)
    #expect(server.look().contains(" info certificate renewed from its changed files"))
    #expect(server.look() == "")
    #expect(server.renewed == [try other.pem])
    #expect(server.renewal.notAfter - before > 38 * 86_400)
  }

  @Test
  func `is refused with one warning if incomplete or of another key, and is retried`()
    throws
  {
    let server = try Server(files)
    #expect(server.look() == "")
    let key = try Data(contentsOf: URL(filePath: other.key))
    try files.take(from: other, onlyKey: true)
    let line = server.look()
    #expect(line.contains(" warning cannot use the changed certificate files"))
    #expect(line.contains("or the key is not the certificate's"))
    #expect(server.look() == "")
    // A truncated key is another reason, which is logged, too.
    try key.prefix(20).write(to: URL(filePath: files.key))
    #expect(server.look().contains("\(files.key) contains no private key in PEM"))
    try FileManager.default.removeItem(atPath: files.key)
    #expect(server.look().contains("No such file or directory"))
    #expect(server.look() == "")
    #expect(server.renewed.isEmpty)
    try files.take(from: other)
    #expect(server.look().contains(" info "))
    #expect(server.renewed == [try other.pem])
  }

  /// Kubernetes links a secret's files like this, and certbot the files of `live`.
  @Test func `is found if symbolic links have changed`() throws {
    let folder = files.folder.appending(path: "mounted").path
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func point(to target: Certificate) throws {
      try? manager.removeItem(atPath: folder + "/..new")
      try manager.createSymbolicLink(
        atPath: folder + "/..new",
        withDestinationPath: target.folder.path
      )
      #expect(rename(folder + "/..new", folder + "/..data") == 0)
    }
    try point(to: files)
    for name in ["cert.pem", "key.pem"] {
      try manager.createSymbolicLink(
        atPath: folder + "/" + name,
        withDestinationPath: "..data/" + name
      )
    }
    let server = try Server(folder + "/cert.pem", folder + "/key.pem")
    #expect(server.look() == "")
    try point(to: other)
    #expect(server.look().contains(" info "))
    try point(to: files)
    #expect(server.look().contains(" info "))
    #expect(server.renewed == [try other.pem, try files.pem])
  }

  @Test func `is used by a service, which checks each minute`() async throws {
    let clock = TestClock()
    var configuration = Configuration()
    configuration.port = 0
    configuration.adminPort = 0
    configuration.data = .memory
    configuration.logLevel = .error
    configuration.tlsCertificate = files.certificate
    configuration.tlsKey = files.key
    let service = try Service(
      ViewModelCatalog(),
      configuration,
      dependencies: clock.dependencies
    )
    let ports = [service.port, try #require(service.adminPort)]
    /// Whether a client that trusts only this certificate accepts the server.
    func isShown(_ certificate: Certificate, on port: Int) async throws -> Bool {
      let arguments = ["-sS", "--max-time", "20", "--cacert", certificate.certificate]
      return try await onThread {
        try run("/usr/bin/curl", arguments + ["https://localhost:\(port)/healthz"]).status == 0
      }
    }
    for port in ports { #expect(try await isShown(files, on: port)) }
    try files.take(from: other)
    var isNew = false
    // The test cannot know when the upkeep begins to wait.
    while !isNew {
      await clock.advance(by: .seconds(60))
      isNew = try await isShown(other, on: ports[0])
      if isNew { isNew = try await isShown(other, on: ports[1]) }
    }
    await service.stop()
  }

  @Test func `ends the warnings about expiry`() throws {
    let server = try Server(other)
    #expect(server.look(inDays: 33.5).contains(" warning the certificate ends soon"))
    #expect(server.look(inDays: 34) == "")
    let expired = server.look(inDays: 41)
    #expect(expired.contains(" error the certificate has expired, and clients refuse it"))
    try other.take(from: try Certificate(days: 90))
    let lines = server.look(inDays: 41)
    #expect(lines.contains(" info ") && !lines.contains(" warning "))
    #expect(server.look(inDays: 60.5).contains("days=29"))
  }
}
