import Glibc

/// Asks a service on this machine whether it is ready; false also where nobody answers.
///
/// A few lines over a socket rather than a library: the executable stays free of one that cannot be
/// linked statically. A service that speaks TLS counts as ready when it takes up a handshake.
func isReady(host: String, port: Int) -> Bool {
  // HTTP/1.0, which needs no Host: whatever --allow-host says, this is answered.
  let request = Array("GET /readyz HTTP/1.0\r\n\r\n".utf8)
  guard let answer = firstBytes(answering: request, host, port, atMost: 12) else { return false }
  if answer.starts(with: "HTTP/1.".utf8) { return answer.suffix(4).elementsEqual(" 200".utf8) }
  let greeting = firstBytes(answering: ClientHello().bytes, host, port, atMost: 2)
  return greeting.map { ClientHello.isAnswered(by: $0) } ?? false
}

/// The first bytes of an answer, none where the peer hung up; nil where nobody is there, or is silent.
private func firstBytes(
  answering request: [UInt8],
  _ host: String,
  _ port: Int,
  atMost count: Int
) -> [UInt8]? {
  let descriptor = connectedSocket(host: reachable(host), port: port)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
  else { return nil }
  var answer = [UInt8](repeating: 0, count: count)
  let received = recv(descriptor, &answer, answer.count, Int32(MSG_WAITALL))
  if received < 0 { return errno == ECONNRESET ? [] : nil }
  return Array(answer.prefix(received))
}

/// An address that listens everywhere is asked here.
private func reachable(_ host: String) -> String {
  switch host {
  case "0.0.0.0", "localhost": "127.0.0.1"
  case "::": "::1"
  default: host
  }
}

private func connectedSocket(host: String, port: Int) -> Int32 {
  var hints = addrinfo()
  hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  hints.ai_flags = AI_NUMERICHOST
  var found: UnsafeMutablePointer<addrinfo>?
  guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee else {
    return -1
  }
  defer { freeaddrinfo(found) }
  let descriptor = socket(address.ai_family, address.ai_socktype, 0)
  guard descriptor >= 0 else { return -1 }
  var patience = timeval(tv_sec: 5, tv_usec: 0)
  let size = socklen_t(MemoryLayout<timeval>.size)
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
  guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else {
    close(descriptor)
    return -1
  }
  return descriptor
}
