import Foundation
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import Synchronization
import Testing

private let page = String(repeating: "<p>A paragraph among many.</p>\n", count: 50)

struct `A part of a file` {
  private let client: Client

  init() throws {
    client = Client(files: try FilesFolder(["digits.txt": "0123456789"]).index())
  }

  @Test(arguments: [
    ("bytes=0-3", "0123", "0-3"), ("bytes=4-4", "4", "4-4"), ("bytes=7-", "789", "7-9"),
    ("bytes=0-", "0123456789", "0-9"), ("bytes=-3", "789", "7-9"), ("BYTES= 2-3 ", "23", "2-3"),
    ("bytes=-99", "0123456789", "0-9"), ("bytes=8-99", "89", "8-9"),
    ("bytes=9-99999999999999999999999999", "9", "9-9"),
    ("bytes=-99999999999999999999999999", "0123456789", "0-9"),
  ])
  func `is sent with its range`(range: String, text: String, place: String) async throws {
    let answer = try await client.send(.get, "/digits.txt", headers: ["Range": range])
    #expect(answer.status == 206)
    #expect(answer.text == text)
    #expect(answer["Content-Range"] == "bytes \(place)/10")
    #expect(answer["ETag"] != nil && answer["Cache-Control"] == "no-cache")
    #expect(answer["Content-Type"] == "text/plain; charset=utf-8")
  }

  @Test(arguments: [
    "bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999999999-",
  ])
  func `outside of the file is refused`(range: String) async throws {
    let answer = try await client.send(.get, "/digits.txt", headers: ["Range": range])
    #expect(answer.status == 416)
    #expect(answer["Content-Range"] == "bytes */10")
    #expect(try answer.member("type") == "/problems/unsatisfiable-range")
  }

  @Test(arguments: [
    "bytes=0-1,3-4", "bytes=3-2", "bytes=-", "bytes=a-b", "bytes=+1-2", "bytes", "lines=0-1", "",
    "bytes=1-2;x",
  ])
  func `is the whole file for an invalid or unsupported Range`(range: String) async throws {
    let answer = try await client.send(.get, "/digits.txt", headers: ["Range": range])
    #expect(answer.status == 200 && answer.text == "0123456789")
    #expect(answer["Content-Range"] == nil && answer["Accept-Ranges"] == "bytes")
  }

  @Test func `is sent only for GET`() async throws {
    let answer = try await client.send(.head, "/digits.txt", headers: ["Range": "bytes=0-1"])
    #expect(answer.status == 200 && answer["Content-Range"] == nil)
  }

  @Test func `is sent only of the version that If-Range names`() async throws {
    let tag = try #require(try await client.send(.get, "/digits.txt")["ETag"])
    for (condition, status) in [
      (tag, 206), ("W/" + tag, 200), ("\"other\"", 200), ("Wed, 21 Oct 2015 07:28:00 GMT", 200),
    ] {
      let headers: HTTPHeaders = ["Range": "bytes=0-1", "If-Range": condition]
      #expect(try await client.send(.get, "/digits.txt", headers: headers).status == status)
    }
    // RFC 9110 §13.2.2: a client that has the whole file needs no part.
    let headers: HTTPHeaders = ["Range": "bytes=0-1", "If-None-Match": tag]
    #expect(try await client.send(.get, "/digits.txt", headers: headers).status == 304)
  }

  @Test func `of an empty file is refused`() async throws {
    let client = Client(files: try FilesFolder(["empty.txt": ""]).index())
    for range in ["bytes=0-", "bytes=-1"] {
      let answer = try await client.send(.get, "/empty.txt", headers: ["Range": range])
      #expect(answer.status == 416 && answer["Content-Range"] == "bytes */0")
    }
    #expect(try await client.send(.get, "/empty.txt").status == 200)
  }
}

struct `A compressed file` {
  private let client: Client

  init() throws {
    let folder = try FilesFolder(["page.html": page, "small.html": "<p>", "image.png": page])
    client = Client(files: try folder.index())
  }

  @Test(arguments: [
    ("gzip", true), ("gzip, deflate, br, zstd", true), ("GZIP", true), ("x-gzip", true),
    ("*", true),
    ("gzip;q=0.5", true), ("gzip; q=1.0, identity;q=0.5", true), ("br;q=1, *;q=0.1", true),
    ("identity;q=0, gzip;q=0.001", true), ("", false), ("br", false), ("identity", false),
    ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false), ("gzip;q=0, *", false),
    ("identity, gzip;q=0.5", false), ("gzip;q=x", false), ("notgzip", false),
  ])
  func `is sent to clients that accept gzip and do not prefer identity`(
    accepted: String,
    isCompressed: Bool
  ) async throws {
    let answer = try await client.send(.get, "/page.html", headers: ["Accept-Encoding": accepted])
    #expect(answer.status == 200)
    #expect((answer["Content-Encoding"] == "gzip") == isCompressed)
    #expect((answer.text == page) != isCompressed)
    #expect(answer["Vary"] == "Accept-Encoding")
    #expect(answer["Content-Type"] == "text/html; charset=utf-8")
  }

  @Test func `has its own tag`() async throws {
    let gzip: HTTPHeaders = ["Accept-Encoding": "gzip"]
    let plain = try #require(try await client.send(.get, "/page.html")["ETag"])
    let compressed = try #require(try await client.send(.get, "/page.html", headers: gzip)["ETag"])
    #expect(plain != compressed)
    for (tag, accepted, status) in [
      (plain, "", 304), (compressed, "gzip", 304), (compressed, "", 200), (plain, "gzip", 200),
    ] {
      let headers: HTTPHeaders = ["Accept-Encoding": accepted, "If-None-Match": tag]
      let answer = try await client.send(.get, "/page.html", headers: headers)
      #expect(answer.status == status)
      #expect(answer["Vary"] == "Accept-Encoding")
    }
  }

  @Test func `is sent in parts of the compressed form`() async throws {
    let headers: HTTPHeaders = ["Accept-Encoding": "gzip", "Range": "bytes=0-1"]
    let answer = try await client.send(.get, "/page.html", headers: headers)
    #expect(answer.status == 206 && answer["Content-Encoding"] == "gzip")
    #expect(answer.bytes == [0x1f, 0x8b])
  }

  @Test(arguments: ["/small.html", "/image.png"])
  func `is sent neither for a file that is too small nor for a compressed format`(path: String)
    async throws
  {
    let answer = try await client.send(.get, path, headers: ["Accept-Encoding": "gzip"])
    #expect(answer["Content-Encoding"] == nil && answer["Vary"] == nil)
  }
}

struct `A folder of files` {
  private let folder: FilesFolder
  private let time = Time()
  private let client: Client

  private final class Time: Sendable {
    let now = Mutex(Duration.zero)
  }

  init() throws {
    folder = try FilesFolder(["a.txt": "1", "b.txt": "2"])
    client = Client(
      files: try FileIndex(
        folder: folder.url.path,
        renewedBy: { [time] in time.now.withLock { $0 } }
      )
    )
  }

  private func text(_ path: String, after pause: Duration = .zero) async throws -> String? {
    time.now.withLock { $0 += pause }
    let answer = try await client.send(.get, path)
    return answer.status == 200 ? answer.text : nil
  }

  @Test func `is checked for changes once a second`() async throws {
    let tag = try await client.send(.get, "/a.txt")["ETag"]
    try folder.write("one", to: "a.txt")
    try folder.write("3", to: "c.txt")
    try folder.remove("b.txt")
    #expect(try await text("/a.txt", after: .milliseconds(999)) == "1")
    #expect(try await text("/b.txt") == "2")
    #expect(try await text("/a.txt", after: .milliseconds(1)) == "one")
    #expect(try await text("/b.txt") == nil)
    #expect(try await text("/c.txt") == "3")
    #expect(try await client.send(.get, "/a.txt")["ETag"] != tag)
    try folder.write("4", to: "c.txt")
    #expect(try await text("/c.txt") == "3")
    #expect(try await text("/c.txt", after: .seconds(1)) == "4")
  }

  @Test func `that is unreadable for a moment keeps its files`() async throws {
    let other = folder.url.path + "-away"
    try FileManager.default.moveItem(atPath: folder.url.path, toPath: other)
    #expect(try await text("/a.txt", after: .seconds(1)) == "1")
    try FileManager.default.moveItem(atPath: other, toPath: folder.url.path)
    try folder.write("one", to: "a.txt")
    #expect(try await text("/a.txt", after: .seconds(1)) == "one")
  }

  @Test func `without a clock is read only at the start`() async throws {
    let client = Client(files: try folder.index())
    try folder.write("one", to: "a.txt")
    #expect(try await client.send(.get, "/a.txt").text == "1")
  }
}

struct `A file's type` {
  /// One of each family; texts say their character set, and what is not compressed already is compressed.
  @Test(arguments: [
    ("a.xml", "application/xml", true), ("A.XML", "application/xml", true),
    ("feed.atom", "application/atom+xml", true), ("a.csv", "text/csv; charset=utf-8", true),
    ("a.ics", "text/calendar; charset=utf-8", true), ("a.vtt", "text/vtt; charset=utf-8", true),
    ("a.htm", "text/html; charset=utf-8", true), ("a.yml", "application/yaml", true),
    ("a.ttf", "font/ttf", true), ("a.woff", "font/woff", false), ("a.b.woff2", "font/woff2", false),
    ("a.mp3", "audio/mpeg", false), ("a.opus", "audio/ogg", false), ("a.mp4", "video/mp4", false),
    ("a.webm", "video/webm", false), ("a.jpeg", "image/jpeg", false),
    ("a.zip", "application/zip", false),
    ("a.gltf", "model/gltf+json", true), ("a.geojson", "application/geo+json", true),
    ("a", "application/octet-stream", false), ("a.unknown", "application/octet-stream", false),
    ("xml", "application/octet-stream", false), ("a.d.ts", "text/plain; charset=utf-8", true),
  ])
  func `is known by the ending of its name`(name: String, type: String, isCompressed: Bool)
    async throws
  {
    let client = Client(files: try FilesFolder([name: page]).index())
    let answer = try await client.send(.get, "/\(name)", headers: ["Accept-Encoding": "gzip"])
    #expect(answer["Content-Type"] == type)
    #expect((answer["Content-Encoding"] == "gzip") == isCompressed)
  }
}

struct `A folder within the front end` {
  private func client(_ options: SessionAPI.Options = SessionAPI.Options()) throws -> Client {
    let folder = try FilesFolder([
      "docs/index.html": "<p>docs", "docs/deep er/index.html": "<p>deep", "docs/empty/a.txt": "a",
      "evil.example/index.html": "<p>", ".well-known/security.txt": "Contact: a",
      ".well-known/acme-challenge/token": "t", ".well-known/.hidden": "h", ".git/config": "c",
      "docs/.well-known/a.txt": "a",
    ])
    return Client(options: options, files: try folder.index())
  }

  @Test(arguments: [
    ("/docs", "/docs/"), ("/docs?a=1&b=x%2Fy", "/docs/?a=1&b=x%2Fy"),
    ("/docs/deep%20er", "/docs/deep%20er/"),
    ("/docs?next=//evil.example", "/docs/?next=%2F%2Fevil.example"),
  ])
  func `is found without the slash at its end`(target: String, location: String) async throws {
    for method in [HTTPMethod.get, .head] {
      let answer = try await client().send(method, target)
      #expect(answer.status == 308 && answer["Location"] == location)
    }
    #expect(try await client().send(.get, location).status == 200)
    #expect(try await client().send(.post, target, "{}").status == 405)
  }

  /// None of these leads to another host.
  @Test(arguments: [
    "//evil.example", "/%2Fevil.example", "///evil.example", "/%5Cevil.example", "/docs//",
    "/docs/empty",
    "//docs", "/docs/../evil.example", "/none",
  ])
  func `is not found by another spelling`(target: String) async throws {
    let answer = try await client().send(.get, target)
    #expect(answer.status == 404 && answer["Location"] == nil)
  }

  @Test func `is found below the base path`() async throws {
    var options = SessionAPI.Options()
    options.basePath = try #require(BasePath("/app"))
    let answer = try await client(options).send(.get, "/app/docs?a=1")
    #expect(answer["Location"] == "/app/docs/?a=1")
  }

  @Test(arguments: [
    ("/.well-known/security.txt", 200), ("/.well-known/acme-challenge/token", 200),
    ("/.well-known/.hidden", 404), ("/.git/config", 404), ("/docs/.well-known/a.txt", 404),
    ("/.well-known", 404),
  ])
  func `is hidden if its name begins with a point, but for .well-known`(path: String, status: Int)
    async throws
  {
    #expect(try await client().send(.get, path).status == status)
  }
}

struct `A page that uses the client` {
  @Test func `is served with a link that preloads the client, and with a tag of that form`()
    async throws
  {
    let page = "<script type=module src=/uifusion.js></script></head>"
    let folder = try FilesFolder(["a.html": page, "a.txt": page, "plain.html": "<p></head>"])
    let client = Client(files: try folder.index())
    let answer = try await client.send(.get, "/a.html")
    #expect(answer.text.contains("<link rel=\"modulepreload\" href=\"/uifusion.js?v="))
    #expect(answer["Cache-Control"] == "no-cache")
    let tag = try #require(answer["ETag"])
    #expect(try await client.send(.get, "/a.txt")["ETag"] != tag)
    let again = try await client.send(.get, "/a.html", headers: ["If-None-Match": tag])
    #expect(again.status == 304)
    let part = try await client.send(.get, "/a.html", headers: ["Range": "bytes=-7"])
    #expect(part.text == "</head>" && part.status == 206)
    #expect(try await client.send(.get, "/a.txt").text == page)
    #expect(try await client.send(.get, "/plain.html").text == "<p></head>")
  }

  @Test func `is served as it is if it is not held in memory`() async throws {
    let page = "/uifusion.js</head>" + String(repeating: "x", count: 65_536)
    let folder = try FilesFolder(["counter.html": page])
    defer { withExtendedLifetime(folder) {} }
    let client = Client(files: try folder.index())
    let session = try await client.session("counter")
    for target in ["/counter.html", "/counter.html?session=" + session.dropFirst(10)] {
      #expect(try await client.send(.get, target).text == page)
    }
  }
}

struct `A file's name` {
  private let folder: FilesFolder

  init() throws {
    folder = try FilesFolder(["Kelvin.txt": "K"])
    for name in ["caf\u{E9}", "cafe\u{301}", ".\u{301}hidden"] {
      let path = folder.url.path + "/" + name
      #expect(FileManager.default.createFile(atPath: path, contents: Data(name.utf8)))
    }
  }

  @Test(arguments: [
    ("/Kelvin.txt", 200), ("/%E2%84%AAelvin.txt", 404), ("/caf%C3%A9", 200),
    ("/cafe%CC%81", 200), ("/.%CC%81hidden", 404),
  ])
  func `is compared by its bytes`(path: String, status: Int) async throws {
    let answer = try await Client(files: try folder.index()).send(.get, path)
    #expect(answer.status == status)
    if path.hasPrefix("/caf") {
      let name = try #require(path.dropFirst().removingPercentEncoding)
      #expect(answer.text.utf8.elementsEqual(name.utf8))
    }
  }
}
