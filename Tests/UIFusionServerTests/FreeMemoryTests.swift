import Foundation
import Testing

@testable import UIFusionServer

struct `Free memory` {
  /// In a process of its own, where nobody else takes or frees any.
  @Test func `is returned to the system, also where it is fragmented`() async {
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

/// proc_pid_statm(5): the second figure.
private func residentPages() throws -> Int {
  let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
}
