/// The check that no cache answers for a session.
enum CacheCheck: Check {
  static let name = "caches"

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    guard let session = deployment.session,
      let input = session.inputRequest(deployment.url)
    else { return [.skipped("no Input to change a session with")] }
    let request = session.request(deployment.url)
    _ = try await deployment.curl.run(request)
    let changed = try await deployment.curl.run(input)
    let second = try await deployment.curl.run(request)
    return [judge(changed: changed.version, second).shown(by: request.line)]
  }

  /// Compares the version of an Input's answer with a later answer about the session.
  static func judge(changed: Int?, _ second: CurlAnswer) -> Finding {
    guard let changed else {
      return .skipped("the answer to the Input has no version to compare with")
    }
    let age = second.head?["Age"].flatMap(Int.init) ?? 0
    guard let version = second.version, version >= changed, age == 0 else {
      return .failure(
        "a cache answers: version \(second.version ?? 0) after version \(changed), Age \(age)",
        [.cache]
      )
    }
    return .ok("no cache in between: an Input is seen at once")
  }
}
