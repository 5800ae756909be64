import FusionCommandLine
import FusionRawHTTP
import Glibc
import Testing

@testable import UIFusionServer

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The service's standard streams` {
  @Test func `may be full: requests are answered, and a stop completes`() throws {
    let service = try ServiceProcess("--log-level", "debug")
    let client = try service.connect()
    // A pipe holds 64 KiB, and each line has more than 100 bytes.
    for _ in 0..<1_000 {
      client.request("GET /healthz")
      try #require(try client.response()?.status == 200)
    }
    #expect(service.stopUnread() == 0)
  }

  @Test func `may lose their readers before the first line`() throws {
    // The first line says that there is no front end.
    let service = try ServiceProcess(
      "--public",
      "Public",
      after: "cd /; exec 2> >(true); wait $!"
    )
    let client = try service.connect()
    client.request("GET /healthz")
    #expect(try client.response()?.status == 200)
    #expect(service.stopUnread() == 0)
  }

  @Test func `may be closed`() throws {
    let service = try ServiceProcess(after: "exec <&- 2>&-")
    #expect(try service.file(0) == "/dev/null")
    #expect(try service.file(2) == "/dev/null")
    #expect(service.stopUnread() == 0)
  }

  @Test func `are opened if all are closed`() async {
    await #expect(processExitsWith: .success) {
      for descriptor in Int32(0)...2 { close(descriptor) }
      openStandardStreams()
      // Another thread of this process may have taken one of the descriptors.
      let areOpen = (Int32(0)...2).allSatisfy { fcntl($0, F_GETFD) >= 0 }
      exit(areOpen ? 0 : 1)
    }
  }
}
