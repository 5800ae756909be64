import Foundation
import FusionRawHTTP
import Testing

@testable import UIFusionServer

/// A path for a Unix socket in its own folder.
final class SocketPlace: Sendable {
  let folder: String
  var path: String { folder + "/service.sock" }

  init() throws {
    // Short: a path may have 107 bytes.
    folder = "/tmp/uifusion-" + UUID().uuidString.prefix(8)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var exists: Bool { FileManager.default.fileExists(atPath: path) }

  func status(_ request: String, _ fields: String = "Host: localhost\r\n") throws -> Int? {
    let client = try RawClient(path: path)
    client.send("\(request) HTTP/1.1\r\n\(fields)\r\n")
    return try client.response()?.status
  }
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The service on a Unix socket` {
  private let place: SocketPlace

  init() throws { place = try SocketPlace() }

  @Test func `prints its path, answers the command health, and removes its file`() throws {
    let service = try ServiceProcess("--socket", place.path)
    #expect(service.announcement == "listening on unix:\(place.path)")
    #expect(try place.status("GET /") == 200)
    #expect(try run("health", "--socket", place.path).status == 0)
    let (status, log) = try service.stop()
    #expect(status == 0 && log.contains(" url=unix:\(place.path) "))
    #expect(!place.exists)
    let health = try run("health", "--socket", place.path)
    #expect(health.status == 1)
    #expect(
      health.errors
        == "uifusion: the service at \(place.path) is not ready or does not answer\n"
    )
  }

  @Test(arguments: ["000", "077"])
  func `is open to its owner and group, whatever the umask`(mask: String) throws {
    let service = try ServiceProcess("--socket", place.path, after: "umask \(mask)")
    let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o660)
    #expect(try service.stop().status == 0)
  }

  @Test func `answers any Host unless --allow-host is given`() throws {
    let open = try ServiceProcess("--socket", place.path)
    #expect(try place.status("GET /", "Host: a.example\r\n") == 200)
    #expect(try open.stop().status == 0)
    let strict = try ServiceProcess("--socket", place.path, "--allow-host", "a.example")
    #expect(try place.status("GET /", "Host: a.example\r\n") == 200)
    #expect(try place.status("GET /", "Host: b.example\r\n") == 421)
    #expect(try run("health", "--socket", place.path).status == 0)
    #expect(try strict.stop().status == 0)
  }

  @Test func `serves a session and its stream`() throws {
    let service = try ServiceProcess("--socket", place.path, "--heartbeat", "0.1")
    let client = try RawClient(path: place.path)
    client.request(
      "POST /sessions",
      "Content-Type: application/json\r\n",
      body: #"{"viewModel":"counter-sync"}"#
    )
    let session = try #require(try client.response()?["Location"])
    let stream = try RawClient(path: place.path)
    #expect(try stream.follow(session).count == 1)
    #expect(try client.post(#""increase""#, to: session).contains(#""version":2"#))
    #expect(try stream.events(through: "id: 2").last?.contains(#""version":2"#) == true)
    #expect(try service.stop().status == 0)
    #expect(try stream.readToEnd().isEmpty == false)
  }

  @Test func `replaces the socket of a killed service, but not of a running one`() throws {
    let first = try ServiceProcess("--socket", place.path)
    first.kill()
    #expect(place.exists)
    let second = try ServiceProcess("--socket", place.path)
    let third = try run("serve", "--data", "memory", "--socket", place.path)
    #expect(third.status == 1)
    #expect(
      third.errors.contains(
        "unix:\(place.path) cannot be listened on: another process listens there"
      )
    )
    #expect(try place.status("GET /healthz") == 200)
    #expect(try second.stop().status == 0)
  }

  @Test func `leaves a file alone that is not a socket`() throws {
    let text = Data("something else".utf8)
    try text.write(to: URL(filePath: place.path))
    let result = try run("serve", "--data", "memory", "--socket", place.path)
    #expect(result.status == 1 && result.errors.contains("\(place.path) cannot be listened on"))
    #expect(try Data(contentsOf: URL(filePath: place.path)) == text)
  }

  @Test func `has an admin port if one is given`() async throws {
    var configuration = Configuration()
    configuration.socket = place.path
    configuration.adminPort = 0
    configuration.data = .memory
    configuration.logLevel = .error
    let service = try Service(ViewModelCatalog(), configuration)
    #expect(service.url == "unix:\(place.path)" && service.port == 0)
    let admin = try #require(service.adminPort)
    #expect(try await WaitingClient.ask(admin, "GET /readyz")?.status == 200)
    let status = try await onThread { [place] in try place.status("GET /readyz") }
    #expect(status == 200)
    await service.stop()
    #expect(!place.exists)
  }

  @Test func `can speak TLS`() throws {
    let files = try Certificate()
    let service = try ServiceProcess(
      "--socket",
      place.path,
      "--tls-cert",
      files.certificate,
      "--tls-key",
      files.key
    )
    let curl = try run(
      "/usr/bin/curl",
      ["-sS", "--max-time", "20", "--cacert", files.certificate, "--unix-socket", place.path]
        + ["https://localhost/readyz"]
    )
    #expect(curl.status == 0, "\(curl.errors)")
    #expect(try run("health", "--socket", place.path).status == 0)
    #expect(try service.stop().status == 0)
  }
}
