import FusionSessions
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

struct `An interceptor of a service` {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  @Test func `learns the session of each line by the beginning of its id`() async throws {
    let lines = Lines()
    let clock = TestClock()
    var dependencies = clock.dependencies
    dependencies.interceptors = [LogInterceptor { line in lines.all.withLock { $0.append(line) } }]
    let host = SessionHost([.counting], dependencies: dependencies)
    let session = try #require(try host.creator.create(.counting))
    try session.submit(Array("5".utf8))
    await clock.idle()
    let id = session.id.description
    let written = lines.all.withLock { $0 }
    #expect(written.count > 2)
    for line in written {
      #expect(line.hasPrefix("\(id.prefix(6))… Counting "))
      #expect(!line.contains(id))
    }
    host.closeAll()
  }
}
