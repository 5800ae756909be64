import Foundation
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import Testing

private let page = String(repeating: "<p>A paragraph among many.</p>\n", count: 5_000)

struct `A file that is not held in memory` {
  private let folder: FilesFolder
  private let client: Client
  /// Bytes that are not text, so they are not compressed.
  private let path = "/film.mp4"
  private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  init() throws {
    folder = try FilesFolder(["page.html": page, "small.txt": "small"])
    try folder.write(bytes, to: "film.mp4")
    client = Client(files: try folder.index())
  }

  @Test func `is sent whole, in parts and to HEAD like any other`() async throws {
    let whole = try await client.send(.get, path)
    #expect(!whole.isHeld)
    #expect(whole.status == 200 && whole.bytes == bytes)
    let part = try await client.send(.get, path, headers: ["Range": "bytes=65530-131080"])
    #expect(part.status == 206 && part.bytes == Array(bytes[65_530...131_080]))
    #expect(part["Content-Range"] == "bytes 65530-131080/200000")
    #expect(try await client.send(.head, path).response.body.count == 200_000)
    let tag = try #require(whole["ETag"])
    #expect(try await client.send(.get, path, headers: ["If-None-Match": tag]).status == 304)
  }

  @Test func `is sent as it is now, with a new tag`() async throws {
    let tag = try await client.send(.get, path)["ETag"]
    try folder.write(Array(bytes.reversed()), to: "film.mp4")
    let answer = try await client.send(.get, path)
    #expect(answer.bytes == bytes.reversed())
    #expect(answer["ETag"] != tag)
    try folder.remove("film.mp4")
    #expect(try await client.send(.get, path).status == 404)
  }

  @Test func `is cut off if it changes while it is sent`() async throws {
    let answer = try await client.send(.get, path)
    try folder.write(Array(bytes.reversed()), to: "film.mp4")
    #expect(answer.bytes == [])
  }

  @Test func `is not found if a link out of the folder has taken its place`() async throws {
    let other = try FilesFolder()
    try other.write(bytes, to: "secret.mp4")
    try folder.remove("film.mp4")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "film.mp4"),
      withDestinationURL: other.url.appending(path: "secret.mp4")
    )
    #expect(try await client.send(.get, path).status == 404)
  }

  @Test func `is compressed if it is text`() async throws {
    let plain = try await client.send(.get, "/page.html")
    #expect(!plain.isHeld && plain.text == page)
    let gzip: HTTPHeaders = ["Accept-Encoding": "gzip"]
    let compressed = try await client.send(.get, "/page.html", headers: gzip)
    #expect(compressed.isHeld && compressed["Content-Encoding"] == "gzip")
    #expect(compressed.bytes?.starts(with: [0x1f, 0x8b]) == true)
  }

  @Test func `may be a small one if the memory is used up`() async throws {
    #expect(try await client.send(.get, "/small.txt").isHeld)
    let small = Client(files: try FileIndex(folder: folder.url.path, limit: 4))
    let answer = try await small.send(.get, "/small.txt")
    #expect(!answer.isHeld && answer.text == "small")
    let gzip: HTTPHeaders = ["Accept-Encoding": "gzip"]
    let page = try await small.send(.get, "/page.html", headers: gzip)
    #expect(page["Content-Encoding"] == nil)
  }

  @Test func `leaves its memory to others once it is deleted`() async throws {
    try folder.write("12345", to: "b.txt")
    try folder.remove("small.txt")
    let index = try FileIndex(folder: folder.url.path, limit: 5)
    let client = Client(files: index)
    #expect(try await client.send(.get, "/b.txt").isHeld)
    try folder.write("67890", to: "b.txt")
    try index.reread()
    let answer = try await client.send(.get, "/b.txt")
    #expect(answer.isHeld && answer.text == "67890")
  }
}

extension Answer {
  /// Whether the body is in memory.
  fileprivate var isHeld: Bool { if case .shared = response.body { true } else { false } }
}
