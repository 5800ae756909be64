import Foundation
import FusionMicrohttpdServer
import FusionRawHTTP
import Glibc
import Testing

@testable import UIFusionServer

/// A socket as a service manager opens it, and the processes that are started with it.
private final class SystemdStub: Sendable {
  let descriptor: Int32

  init(port: Int = 0) throws {
    descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    try bind(name)
  }

  init(path: String) throws {
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    try bind(name)
  }

  deinit { close(descriptor) }

  private func bind<Name>(_ name: Name) throws {
    let result = withUnsafePointer(to: name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
    try #require(result == 0 && listen(descriptor, 16) == 0)
  }

  var port: Int {
    var name = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return Int(UInt16(bigEndian: name.sin_port))
  }

  /// Starts a service with the socket as descriptor 3; the shell that becomes the service sets `LISTEN_PID`.
  func start(_ flags: String...) throws -> ServiceProcess {
    try ServiceProcess(
      flags: flags,
      after: "exec 3<&0 </dev/null; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=http",
      input: FileHandle(fileDescriptor: descriptor)
    )
  }
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A service under a service manager` {
  @Test func `listens on the passed socket instead of its own`() throws {
    let manager = try SystemdStub()
    let service = try manager.start("--socket", "/nowhere/service.sock")
    #expect(service.announcement == "listening on http://127.0.0.1:\(manager.port)")
    let client = try RawClient(manager.port)
    client.request("GET /healthz")
    #expect(try client.response()?.status == 200)
    #expect(try service.stop().status == 0)
  }

  @Test func `does not use the passed socket for the admin port`() {
    var service = MicrohttpdServer.Configuration(host: "127.0.0.1", port: 80)
    service.inheritedSocket = 3
    let admin = service.admin(port: 9_000)
    #expect(admin.inheritedSocket == nil && admin.port == 9_000)
  }

  @Test func `answers connections made before its start, even after another process`() throws {
    let manager = try SystemdStub()
    let early = try RawClient(manager.port)
    early.request("GET /healthz")
    let first = try manager.start("--drain-delay", "0")
    #expect(try early.response()?.status == 200)
    #expect(try first.stop().status == 0)
    let between = try RawClient(manager.port)
    between.request("GET /healthz")
    let second = try manager.start()
    #expect(try between.response()?.status == 200)
    #expect(try second.stop().status == 0)
  }

  @Test func `leaves the socket to the next process while it still answers`() throws {
    let manager = try SystemdStub()
    let first = try manager.start("--drain", "50")
    let session = try RawClient(manager.port)
    session.request(
      "POST /sessions",
      "Content-Type: application/json\r\n",
      body: #"{"viewModel":"counter-sync"}"#
    )
    let path = try #require(try session.response()?["Location"])
    // A stop waits for the rest of this request.
    session.request(
      "POST \(path)/inputs",
      "Content-Length: 10\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n"
    )
    #expect(try session.head()?.status == 100)
    let kept = try RawClient(manager.port)
    kept.request("GET /healthz")
    #expect(try kept.response()?["Connection"] == nil)
    first.terminate()
    // Once a new connection gets no answer, the first process accepts no more.
    try first.waitForLog("stopping")
    var isDraining = false
    while !isDraining {
      let client = try RawClient(manager.port, silence: 1)
      client.request("GET /healthz")
      isDraining = (try? client.response()) == nil
    }
    let second = try manager.start()
    let next = try RawClient(manager.port)
    next.request("GET /readyz")
    #expect(try next.response()?.status == 200)
    session.send(#""increase""#)
    #expect(try session.response()?.status == 200)
    #expect(try first.stop().status == 0)
    #expect(try second.stop().status == 0)
  }

  @Test func `keeps the file of a passed Unix socket, and answers any Host there`() throws {
    let place = try SocketPlace()
    let manager = try SystemdStub(path: place.path)
    let service = try manager.start()
    #expect(service.announcement == "listening on unix:\(place.path)")
    #expect(try place.status("GET /", "Host: a.example\r\n") == 200)
    #expect(try service.stop().status == 0)
    #expect(place.exists)
  }

  @Test(arguments: [
    ("exec 3<&-; LISTEN_FDS=1", "descriptor 3 cannot be listened on: it is not open"),
    ("exec 3</dev/null; LISTEN_FDS=1", "descriptor 3 cannot be listened on: it is no socket"),
    ("exec 3<&0; LISTEN_FDS=1", "it is no stream socket on which listen(2) was called"),
    ("LISTEN_FDS=2 LISTEN_FDNAMES=a:b", "LISTEN_FDS is 2 (a:b): hand over one socket"),
    ("LISTEN_FDS=x", "LISTEN_FDS is x: hand over one socket"),
  ])
  func `does not start with a socket on which it cannot listen`(
    preparation: String,
    complaint: String
  ) throws {
    let datagrams = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(datagrams) }
    let error = #expect(throws: ServiceProcess.Failed.self) {
      try ServiceProcess(
        flags: [],
        after: "export LISTEN_PID=$$; \(preparation); export LISTEN_FDS LISTEN_FDNAMES",
        input: FileHandle(fileDescriptor: datagrams)
      )
    }
    #expect(error?.output.contains(complaint) == true, "\(error?.output ?? "")")
  }

  /// Returns the socket that process 7 takes from the environment, and the environment that remains.
  private func taken(
    _ environment: [String: String]
  ) throws(ServiceError) -> (socket: Int32?, rest: [String: String]) {
    var rest = environment
    var pipe: [Int32] = [0, 0]
    _ = Glibc.pipe(&pipe)
    defer { for end in pipe { close(end) } }
    let first = pipe[0]
    let notifier = SystemdNotifier(
      read: { environment[$0] },
      unset: { rest[$0] = nil },
      process: 7,
      first: first
    )
    let socket = try notifier.takeSocket()
    if socket != nil { #expect(fcntl(first, F_GETFD) & FD_CLOEXEC != 0) }
    return (socket.map { $0 - first }, rest)
  }

  @Test func `takes a socket only if its process is named, and hides that from children`() throws {
    let offer = ["LISTEN_PID": "7", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "http", "HOME": "/"]
    let told = offer.merging(["NOTIFY_SOCKET": "/run/notify"]) { $1 }
    #expect(try taken(told).rest == ["HOME": "/"])
    #expect(try taken(offer).socket == 0)
    #expect(try taken(offer).rest == ["HOME": "/"])
    for other in [["LISTEN_PID": "8"], ["LISTEN_FDS": "0"]] {
      let taken = try taken(offer.merging(other) { $1 })
      #expect(taken.socket == nil && taken.rest == ["HOME": "/"])
    }
    #expect(try taken(["LISTEN_FDS": "1"]).socket == nil)
    #expect(try taken(["LISTEN_PID": "7"]).socket == nil)
  }

  @Test(arguments: [false, true])
  func `notifies the manager of its start and its stop`(isAbstract: Bool) throws {
    let place = try SocketPlace()
    let path = isAbstract ? "@" + place.path : place.path
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = (isAbstract ? [0] : []) + Array(place.path.utf8)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let bound = withUnsafePointer(to: name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, socklen_t(isAbstract ? 2 + bytes.count : 110))
      }
    }
    #expect(bound == 0)
    func message() -> String {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    let service = try ServiceProcess(after: "export NOTIFY_SOCKET='\(path)'")
    #expect(message() == "READY=1")
    #expect(try service.stop().status == 0)
    #expect(message() == "STOPPING=1")
  }
}
