extension RawClient {
  /// Returns once the service on that port answers for its sessions (`GET /readyz`); it asks without a pause.
  ///
  /// - Throws: What connecting throws.
  package static func waitUntilReady(_ port: Int) throws {
    let client = try RawClient(port)
    repeat { client.request("GET /readyz") } while try client.response()?.status == 503
  }
}
