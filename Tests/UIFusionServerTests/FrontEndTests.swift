import Foundation
import FusionRawHTTP
import Testing

struct `A front end` {
  private let folder = TemporaryFolder()

  /// Creates a sparse file, which is read as zeros.
  private func write(megabytes: Int, to name: String) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let path = folder.path + "/" + name
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: UInt64(megabytes) << 20)
    try file.close()
  }

  @Test func `sends a large file without reading it into memory as a whole`() throws {
    try write(megabytes: 300, to: "film.mp4")
    let service = try ServiceProcess("--public", folder.path)
    let client = try service.connect()
    client.request("HEAD /film.mp4")
    #expect(try client.response(toHead: true)?["Content-Length"] == "\(300 << 20)")
    client.request("GET /film.mp4", "Range: bytes=\(200 << 20)-\(264 << 20)\r\n")
    #expect(try client.head()?["Content-Range"]?.hasSuffix("/\(300 << 20)") == true)
    for _ in 0..<64 { #expect(try client.read(1 << 20).allSatisfy { $0 == 0 }) }
    #expect(try service.memory < 128 << 10)
  }

  @Test func `never mixes two versions of a file in one answer`() throws {
    try write(megabytes: 64, to: "film.mp4")
    let service = try ServiceProcess("--public", folder.path)
    let client = try service.connect()
    client.request("GET /film.mp4")
    #expect(try client.head()?.status == 200)
    try write(megabytes: 65, to: "film.mp4")
    // The client expects 64 MiB; bytes that were sent arrive, and then the connection ends.
    #expect(try client.read(64 << 20).count < 64 << 20)
    let other = try service.connect()
    other.request("HEAD /film.mp4")
    #expect(try other.response(toHead: true)?["Content-Length"] == "\(65 << 20)")
  }
}
