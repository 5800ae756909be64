import Foundation
import FusionRawHTTP
import Testing

/// A service's reports about its data folder.
struct `A service's data folder` {
  private let folder = TemporaryFolder()

  @Test func `stops the service from accepting Inputs once it is deleted`() throws {
    let service = try ServiceProcess("--data", folder.path)
    let session = try service.session("counter-sync")
    let client = try service.connect()
    _ = try client.post(#""increase""#, to: session)
    try FileManager.default.removeItem(atPath: folder.path)
    var status: Int?
    for _ in 0..<30 where status != 503 {
      // The service checks the files each second, and holds this request for a second.
      client.request("GET \(session)", "If-None-Match: \"2\"\r\nPrefer: wait=1\r\n")
      _ = try client.response()
      client.request("GET /readyz")
      status = try client.response()?.status
    }
    #expect(status == 503)
    client.request(
      "POST \(session)/inputs",
      "Content-Type: application/json\r\n",
      body: #""increase""#
    )
    let answer = try #require(try client.response())
    #expect(answer.status == 503)
    #expect(answer.text.contains("store-unreachable"))
    let log = try service.stop().log
    let told = log.split(separator: "\n").filter { $0.contains("the store fails") }
    #expect(told.count == 1 && told[0].contains("was deleted or replaced"), "\(log)")
  }

  @Test func `is refused if its database is empty`() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: folder.path + "/sessions.sqlite"))
    let start = try run("serve", "--port", "0", "--data", folder.path)
    #expect(start.status == 1)
    #expect(start.errors.contains("\(folder.path)/sessions.sqlite is empty"), "\(start.errors)")
  }

  @Test func `has its size in the metrics`() throws {
    let service = try ServiceProcess("--data", folder.path)
    _ = try service.session("counter-sync")
    let client = try service.connect()
    client.request("GET /metrics")
    let text = try #require(try client.response()?.text)
    for name in ["uifusion_store_bytes", "uifusion_store_log_bytes"] {
      let line = text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
      let value = line?.split(separator: " ").last.flatMap { Int($0) }
      #expect((4_096...10_000_000).contains(value ?? 0), "\(name)")
    }
    #expect(text.contains("\nuifusion_store_checkpoint_failures_total 0\n"))
  }

  @Test func `is waited for while another process stops using it`() throws {
    let first = try ServiceProcess("--data", folder.path)
    let refused = try run("serve", "--port", "0", "--data", folder.path, "--lock-wait", "0")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("another process serves the sessions in \(folder.path)"))
    first.terminate()
    let second = try ServiceProcess("--data", folder.path, "--lock-wait", "60")
    _ = try second.session("counter")
    #expect(try second.stop().status == 0)
  }
}
