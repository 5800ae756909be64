import Testing

@testable import FusionMicrohttpdServer

struct `A CPU quota` {
  private func processors(_ files: [String: String]) -> Double? {
    CPUQuota(ofProcess: "/list", under: "/groups") { files[$0] }.processors
  }

  @Test func `is nil if no control group sets one`() {
    #expect(processors([:]) == nil)
    #expect(processors(["/list": "0::/\n", "/groups/cpu.max": "max 100000\n"]) == nil)
    #expect(processors(["/list": "nonsense\n3:cpu\n0::/a\n", "/groups/a/cpu.max": "50"]) == nil)
  }

  @Test func `of cgroup v2 is the lowest of a group and its ancestors`() {
    let files = [
      "/list": "0::/a/b\n", "/groups/a/cpu.max": "150000 100000\n",
      "/groups/a/b/cpu.max": "400000 100000\n", "/groups/a/b/c/cpu.max": "1 100000\n",
    ]
    #expect(processors(files) == 1.5)
    #expect(processors(files.merging(["/groups/cpu.max": "50000 100000"]) { $1 }) == 0.5)
  }

  @Test func `of cgroup v1 is a quota over a period, in the hierarchy of its controller`() {
    let files = [
      "/list": "5:memory:/m\n4:cpu,cpuacct:/docker/x\n0::/\n",
      "/groups/cpu/docker/x/cpu.cfs_quota_us": "200000\n",
      "/groups/cpu/docker/x/cpu.cfs_period_us": "100000\n",
      "/groups/cpu/cpu.cfs_quota_us": "-1\n", "/groups/cpu/cpu.cfs_period_us": "100000\n",
    ]
    #expect(processors(files) == 2)
  }

  @Test func `leaves a server at least one loop`() {
    #expect(MicrohttpdServer.Configuration().loops >= 1)
  }
}
