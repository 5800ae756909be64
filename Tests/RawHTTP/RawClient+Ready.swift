extension RawClient {
  /// Waits until the service on a port is ready (`GET /readyz`), asking without a pause.
  ///
  /// - Throws: The error of connecting.
  package static func waitUntilReady(_ port: Int) throws {
    let client = try RawClient(port)
    repeat { client.request("GET /readyz") } while try client.response()?.status == 503
  }
}
