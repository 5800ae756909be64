import FusionMicrohttpdServer
import FusionTLS
import Glibc

/// Where a service on this machine is asked for its health.
enum HealthPlace {
  case port(Int, host: String)
  case socket(path: String)
}

/// Asks a service on this machine whether it is ready; false also where nobody answers.
///
/// First in the clear, then over TLS: which of both it speaks, no flag of the command says.
func isReady(at place: HealthPlace) -> Bool {
  // HTTP/1.0, which needs no Host: whatever --allow-host says, this is answered.
  let request = Array("GET /readyz HTTP/1.0\r\n\r\n".utf8)
  let statusLine = "HTTP/1.1 200".utf8
  for ask in [answer, TLSClient.answer] {
    guard let descriptor = connectedSocket(place) else { return false }
    defer { close(descriptor) }
    guard let answer = ask(request, descriptor, statusLine.count) else { continue }
    if answer.starts(with: "HTTP/1.".utf8) { return answer.suffix(4).elementsEqual(" 200".utf8) }
  }
  return false
}

/// The first bytes of an answer, none where the peer hung up; nil where it is silent.
private func answer(to request: [UInt8], on descriptor: Int32, atMost count: Int) -> [UInt8]? {
  guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
  else { return nil }
  var answer = [UInt8](repeating: 0, count: count)
  let received = recv(descriptor, &answer, answer.count, Int32(MSG_WAITALL))
  return received < 0 ? nil : Array(answer.prefix(received))
}

/// An address that listens everywhere is asked here.
private func reachable(_ host: String) -> String {
  switch host {
  case "0.0.0.0", "localhost": "127.0.0.1"
  case "::": "::1"
  default: host
  }
}

/// With five seconds for each step; nil where nobody listens.
private func connectedSocket(_ place: HealthPlace) -> Int32? {
  switch place {
  case .port(let port, let host):
    return connectedSocket(host: reachable(host), port: port)
  case .socket(let path):
    let descriptor = UnixSocket.connect(to: path)
    guard descriptor >= 0 else { return nil }
    // What follows waits.
    _ = fcntl(descriptor, F_SETFL, 0)
    limitSteps(of: descriptor)
    return descriptor
  }
}

private func connectedSocket(host: String, port: Int) -> Int32? {
  var hints = addrinfo()
  hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  hints.ai_flags = AI_NUMERICHOST
  var found: UnsafeMutablePointer<addrinfo>?
  guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee else {
    return nil
  }
  defer { freeaddrinfo(found) }
  let descriptor = socket(address.ai_family, address.ai_socktype, 0)
  guard descriptor >= 0 else { return nil }
  limitSteps(of: descriptor)
  guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
    close(descriptor)
    return nil
  }
  return descriptor
}

private func limitSteps(of descriptor: Int32) {
  var patience = timeval(tv_sec: 5, tv_usec: 0)
  let size = socklen_t(MemoryLayout<timeval>.size)
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
}
