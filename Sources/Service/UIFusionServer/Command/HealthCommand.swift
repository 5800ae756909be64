import FusionCommandLine
import FusionMicrohttpdServer
import FusionTLS
import Glibc
import UIFusionKit

/// Asks a service on this machine whether it is ready, as a container's health check does.
struct HealthCommand: Command {
  static let name = "health"
  static let summary = "exit 0 if the service is ready, 1 if not"
  static var flags: [Flag<Self>] {
    Flag<Configuration>.listening.map { Flag($0, of: \.configuration) }
  }

  /// The address of the service; nothing else is read.
  var configuration = Configuration()

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let address = configuration.healthAddress
    if address.isReady { return 0 }
    throw ServiceError("the service at \(address) is not ready or does not answer")
  }
}

extension Configuration {
  /// The admin port if there is one: it answers however many connections are in use.
  fileprivate var healthAddress: HealthAddress {
    if adminPort == nil, let socket { return .socket(path: socket) }
    return .port(adminPort ?? port, host: host)
  }
}

/// The address at which a service on this machine answers `/readyz`.
enum HealthAddress: CustomStringConvertible {
  case port(Int, host: String)
  case socket(path: String)

  var description: String {
    switch self {
    case .port(let port, let host): "\(host), port \(port),"
    case .socket(let path): path
    }
  }

  /// Whether the service is ready; false also if nobody answers.
  ///
  /// Asks in the clear and then over TLS, since no flag says which of the two the service speaks.
  var isReady: Bool {
    // HTTP/1.0 needs no Host, so --allow-host cannot refuse the request.
    let request = Array("GET /readyz HTTP/1.0\r\n\r\n".utf8)
    let statusLine = "HTTP/1.1 200".utf8
    for ask in [plainAnswer, TLSClient.answer] {
      guard let descriptor = connect() else { return false }
      defer { close(descriptor) }
      guard let answer = ask(request, descriptor, statusLine.count) else { continue }
      if answer.starts(with: "HTTP/1.".utf8) { return answer.suffix(4).elementsEqual(" 200".utf8) }
    }
    return false
  }

  /// Connects with a timeout of five seconds for each step; returns nil if nobody listens.
  private func connect() -> Int32? {
    switch self {
    case .port(let port, let host): return connectTo(host, port)
    case .socket(let path):
      let descriptor = UnixSocket.connect(to: path)
      guard descriptor >= 0 else { return nil }
      // Blocking: the timeouts end a wait.
      _ = fcntl(descriptor, F_SETFL, 0)
      setTimeouts(descriptor)
      return descriptor
    }
  }

  private func connectTo(_ host: String, _ port: Int) -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICHOST
    var found: UnsafeMutablePointer<addrinfo>?
    // An address that listens everywhere is reached by its loopback address.
    let host = ["0.0.0.0": "127.0.0.1", "localhost": "127.0.0.1", "::": "::1"][host] ?? host
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee else {
      return nil
    }
    defer { freeaddrinfo(found) }
    let descriptor = Glibc.socket(address.ai_family, address.ai_socktype, 0)
    guard descriptor >= 0 else { return nil }
    setTimeouts(descriptor)
    guard Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

private func setTimeouts(_ descriptor: Int32) {
  var timeout = timeval(tv_sec: 5, tv_usec: 0)
  let size = socklen_t(MemoryLayout<timeval>.size)
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
}

/// Returns the first bytes of the answer, none if the peer hung up; nil if the peer is silent.
private func plainAnswer(to request: [UInt8], on descriptor: Int32, atMost count: Int) -> [UInt8]? {
  guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
  else { return nil }
  var answer = [UInt8](repeating: 0, count: count)
  let received = recv(descriptor, &answer, answer.count, Int32(MSG_WAITALL))
  return received < 0 ? nil : Array(answer.prefix(received))
}
