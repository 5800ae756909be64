import Foundation
import FusionGzip
import FusionSpawning
import Testing

struct `Gzip` {
  @Test(arguments: [0, 1, 100, 100_000])
  func `is decompressed by gunzip to the same bytes`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    let compressed = try #require(gzipped(bytes))
    #expect(compressed.prefix(2) == [0x1f, 0x8b])
    #expect(gzipped(bytes) == compressed)
    let file = URL.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(compressed).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (input, output) = (try FileHandle(forReadingFrom: file), Pipe())
    let process = try ChildProcess("/bin/gzip", ["-dc"], input: input, output: output)
    let restored = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(process.waitUntilExit() == 0)
    #expect([UInt8](restored) == bytes)
  }

  @Test func `compresses text well`() throws {
    let text = Array(String(repeating: "<p>a paragraph</p>\n", count: 100).utf8)
    #expect(try #require(gzipped(text)).count < text.count / 10)
  }
}
