import Foundation
import FusionPostgreSQLServer
import FusionRawHTTP
import Testing

/// The metrics of a service with its sessions in PostgreSQL.
@Suite(
  .enabled(if: PostgreSQLServer.isInstalled, Comment(rawValue: PostgreSQLServer.isMissing)),
  .timeLimit(.minutes(5))
)
struct `The metrics of a node` {
  private let database: String

  init() throws {
    database = try PostgreSQLServer.shared.get().emptySchema()
  }

  private func serve() throws -> ServiceProcess {
    let service = try ServiceProcess("--data", database)
    try service.waitForLog("joined the nodes of this store")
    return service
  }

  @Test func `count the sessions that it owns, and those that it has acquired`() throws {
    let a = try serve()
    let session = try a.session("counter-sync")
    _ = try a.connect().post(#""increase""#, to: session)
    var metrics = try metrics(of: a)
    #expect(metrics["uifusion_sessions"] == 1)
    #expect(metrics["uifusion_sessions_acquired_total"] == 0)
    #expect(metrics[#"uifusion_store_commit_duration_seconds_count{store="postgresql"}"#] ?? 0 > 1)
    #expect(try a.stop().status == 0)

    let b = try serve()
    let client = try b.connect()
    client.request("GET \(session)")
    #expect(try client.response()?.status == 200)
    metrics = try self.metrics(of: b)
    #expect(metrics["uifusion_sessions"] == 1)
    #expect(metrics["uifusion_sessions_acquired_total"] == 1)
    #expect(metrics["uifusion_sessions_fenced_total"] == 0)
    #expect(metrics["uifusion_leases_lost_total"] == 0)
    #expect(metrics["uifusion_lease_age_seconds"] ?? 0 > 0)
    #expect(try b.stop().status == 0)
  }

  private func metrics(of service: ServiceProcess) throws -> [String: Double] {
    let client = try service.connect()
    client.request("GET /metrics")
    let lines = try #require(try client.response()).text.split(separator: "\n")
    return lines.filter { !$0.hasPrefix("#") }.reduce(into: [:]) { metrics, line in
      let words = line.split(separator: " ")
      metrics[String(words[0])] = Double(words[1])
    }
  }
}
