import CFusionMicrohttpd
import Foundation
import Testing

@testable import FusionMicrohttpdServer

/// The defects of libmicrohttpd for which the folder `Workarounds` exists.
///
/// If a test fails with a newer version of the library, the file that the test names can be deleted.
struct `A workaround` {
  private let library: BareLibrary

  init() throws {
    library = try BareLibrary()
  }

  /// 1.0.1 does not need it.
  @Test func `is still needed: HeadLayout`() throws {
    _ = try library.exchange(
      "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n"
    )
    let folded = try #require(library.requests.last)
    #expect(!folded.fields.contains { $0.name == "Transfer-Encoding" && $0.value == "chunked" })
    _ = try library.exchange("GET /lf HTTP/1.1\nHost: a\n\n")
    #expect(library.requests.last?.target == "/lf")
    _ = try library.exchange("GET /nul HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n")
    #expect(library.requests.last?.fields.last?.value == "a")
  }

  /// 1.0.1 does not need it.
  @Test func `is still needed: RequestLineLayout`() throws {
    _ = try library.exchange("GET /app.js\0.html HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(library.requests.map(\.target) == ["/app.js"])
  }

  /// 1.0.1 does not need it.
  @Test func `is still needed: HiddenQuery`() throws {
    let arguments = (0..<200).map { "a\($0)=1" }.joined(separator: "&")
    let answer = try library.exchange("GET /?\(arguments) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(library.requests.isEmpty && answer == ("", true))
  }

  /// 1.0.1 does not need it.
  @Test func `is still needed: ChunkedTrailer`() throws {
    _ = try library.exchange(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n:\n"
        + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    )
    #expect(library.requests.map(\.target) == ["/", "/smuggled"])
  }

  /// 1.0.1 needs it, too.
  @Test func `is still needed: DiscardedBody`() throws {
    library.answers["/early"] = .empty
    _ = try library.exchange(
      "POST /early HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
    )
    #expect(library.requests.last?.body == Array("abc".utf8) && library.earlyAnswers == [.NO])
  }

  /// 1.0.1 was not tried.
  @Test func `is still needed: EarlyResponse`() throws {
    library.answers["/early"] = .empty
    let answer = try library.exchange(
      "POST /early HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"
    )
    #expect(library.earlyAnswers == [.NO] && answer == ("", false))
  }

  /// 1.0.1 does not need it.
  @Test func `is still needed: BodilessResponse`() throws {
    library.answers["/"] = .unknownSize
    let answer = try library.exchange("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer.text.hasSuffix("\r\n\r\n0\r\n\r\n"))
  }

  /// 1.0.1 needs it, too.
  @Test func `is still needed: MissedEnd`() throws {
    let answer = try library.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n", endingAfter: true)
    #expect(answer.text.hasPrefix("HTTP/1.1 200") && !answer.isClosed)
  }

  /// 1.0.1 needs it, too.
  @Test func `is still needed: FailedResponse`() throws {
    let library = try BareLibrary(flags: MHD_USE_TURBO.rawValue)
    library.answers["/"] = .failing
    // The library looks at no connection behind an older idle one.
    let silent = try library.exchange("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
    let answer = try library.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(!silent.isClosed && answer.text.hasPrefix("HTTP/1.1 200") && !answer.isClosed)
  }

  /// Not tried with 1.0.1.
  @Test func `is still needed: ResumedRequest`() throws {
    let library = try BareLibrary(flags: MHD_ALLOW_SUSPEND_RESUME.rawValue)
    library.answers["/late"] = .late
    // The library serves the connection that has been silent longest before its socket.
    _ = try library.exchange("GET /other HTTP/1.1\r\nHost: a\r\n\r\n")
    let peer = try library.connect()
    library.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n", on: peer)
    library.run()
    shutdown(peer, Int32(SHUT_WR))
    library.resume()
    #expect(library.receive(on: peer) == ("", true))
  }

  /// A test of the stall would take 128 connections and time; with another version, read MHD_epoll.
  ///
  /// Not tried with 1.0.1, whose streams the library writes.
  @Test func `is still needed: ExternalPolling`() {
    #expect(LibraryVersion.current == "0.9.75")
  }

  /// With 1.0.1 the library writes the streams.
  @Test func `is still needed: LibraryVersion`() {
    #expect(LibraryVersion.current == LibraryVersion.tested)
    #expect(LibraryVersion.canTakeOverStreams(LibraryVersion.tested))
    #expect(["0.9.76", "1.0.1"].allSatisfy { !LibraryVersion.canTakeOverStreams($0) })
  }

  @Test func `has a test in this file`() throws {
    let tests = URL(fileURLWithPath: #filePath)
    let root = tests.deletingLastPathComponent().appending(path: "../../..")
    let folder = root.appending(path: "Sources/HTTP/MicrohttpdServer/Workarounds").path
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let text = try String(contentsOf: tests, encoding: .utf8)
    #expect(names.count >= 10)
    for name in names {
      #expect(text.contains("is still needed: \(name.dropLast(".swift".count))`"), "\(name)")
    }
  }
}
