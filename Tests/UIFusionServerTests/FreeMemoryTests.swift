import Foundation
import Testing

@testable import UIFusionServer

struct `Free memory` {
  /// Runs in its own process, where no other test allocates or frees memory.
  @Test func `is returned to the system even if it is fragmented`() async {
    await #expect(processExitsWith: .success) {
      let blocks = (0..<20_000).map { _ in
        let block = UnsafeMutableRawPointer.allocate(byteCount: 4_000, alignment: 16)
        block.initializeMemory(as: UInt8.self, repeating: 1, count: 4_000)
        return block
      }
      for (number, block) in blocks.enumerated() where !number.isMultiple(of: 16) {
        block.deallocate()
      }
      let before = try residentPages()
      releaseFreeMemory()
      let after = try residentPages()
      exit(before - after > 10_000 ? 0 : 1)
    }
  }
}

/// Returns the number of resident pages, the second in proc_pid_statm(5).
private func residentPages() throws -> Int {
  let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
}
