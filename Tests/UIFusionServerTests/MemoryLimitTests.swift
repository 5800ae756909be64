import Testing

@testable import UIFusionServer

struct `The limit of memory` {
  private func bytes(_ files: [String: String]) -> Int? {
    MemoryLimit(ofProcess: "/list", under: "/groups") { files[$0] }.bytes
  }

  @Test func `is absent if no control group has one`() {
    #expect(bytes([:]) == nil)
    #expect(
      bytes(["/list": "nonsense\n3:memory\n0::/a\n", "/groups/a/memory.max": "max\n"]) == nil
    )
    let files = [
      "/list": "3:memory:/\n", "/groups/memory/memory.limit_in_bytes": "9223372036854771712\n",
    ]
    #expect(bytes(files) == nil)
  }

  @Test func `of control groups v2 is the lowest of a group and its ancestors`() {
    let files = [
      "/list": "0::/a/b\n", "/groups/a/memory.max": "1000\n", "/groups/a/b/memory.max": "2000\n",
      "/groups/a/b/c/memory.max": "1\n",
    ]
    #expect(bytes(files) == 1000)
    #expect(bytes(files.merging(["/groups/memory.max": "500\n"]) { $1 }) == 500)
  }

  @Test func `of control groups v1 is found in the memory hierarchy`() {
    let files = [
      "/list": "5:cpu:/c\n4:memory:/docker/x\n0::/\n",
      "/groups/memory/docker/x/memory.limit_in_bytes": "268435456\n",
      "/groups/memory/c/memory.limit_in_bytes": "1\n",
    ]
    #expect(bytes(files) == 256 << 20)
  }

  @Test func `measures the memory in use without the page cache`() {
    let v2 = [
      "/list": "0::/a/b\n", "/groups/a/memory.max": "1000\n", "/groups/a/memory.current": "900\n",
      "/groups/a/memory.stat": "anon 1\ninactive_file 200\nactive_file 30\nfile 5\n",
    ]
    #expect(used(v2) == 670)
    let v1 = [
      "/list": "4:memory:/x\n", "/groups/memory/x/memory.limit_in_bytes": "1000\n",
      "/groups/memory/x/memory.usage_in_bytes": "900\n",
      "/groups/memory/x/memory.stat":
        "inactive_file 1\nactive_file 1\ntotal_inactive_file 200\ntotal_active_file 30\n",
    ]
    #expect(used(v1) == 670)
    #expect(used(v1.filter { !$0.key.hasSuffix("stat") }) == 900)
    #expect(used(v1.filter { !$0.key.hasSuffix("usage_in_bytes") }) == nil)
    #expect(used([:]) == nil)
  }

  private func used(_ files: [String: String]) -> Int? {
    MemoryLimit(ofProcess: "/list", under: "/groups") { files[$0] }.used { files[$0] }
  }

  @Test func `lowers the limits that would not fit, and no others`() {
    let files = ["/list": "0::/\n", "/groups/memory.max": "\(256 << 20)\n"]
    let limit = MemoryLimit(ofProcess: "/list", under: "/groups") { files[$0] }
    let fitting = Configuration().fitting(limit)
    #expect(fitting.maxConnections == 4_096)
    #expect(fitting.maxStreams == 2_048)
    #expect(fitting.maxSessions == 16_384)
    #expect(fitting.maxMemory == 192 << 20)
    var small = Configuration()
    (small.maxConnections, small.maxStreams, small.maxSessions) = (10, 2, 3)
    let same = small.fitting(limit)
    #expect((same.maxConnections, same.maxStreams, same.maxSessions) == (10, 2, 3))
    let unlimited = MemoryLimit(ofProcess: "/list", under: "/groups") { _ in nil }
    #expect(Configuration().fitting(unlimited).maxSessions == 100_000)
  }
}
