/// The deployment under examination, with the observations so far.
///
/// Confined to the task of the command.
final class Deployment {
  let url: ServiceURL
  let curl: Curl
  let options: Options
  /// Shows a progress message; an empty text removes it.
  let showProgress: (String) -> Void

  struct Options: Sendable {
    /// The view model of the trial session; nil chooses one.
    var viewModel: String?
    /// The file with header fields that identify the sender, one a line; nil for none.
    var headersFile: String?
    /// Whether to skip the wait for a heartbeat.
    var isQuick = false
  }

  /// Whether further checks make sense.
  var isUsable = true
  var proxy = ProxyKind.unknown
  /// The head of an answer of the service.
  var head: MessageHead?
  var route: Route?
  /// The session for the checks.
  var session: TrialSession?

  init(
    _ url: ServiceURL,
    _ curl: Curl,
    _ options: Options,
    showProgress: @escaping (String) -> Void
  ) {
    self.url = url
    self.curl = curl
    self.options = options
    self.showProgress = showProgress
  }

  /// The longest silence of a stream, in seconds.
  var heartbeat: Double { route?.heartbeat ?? 15 }

  /// Makes a request for a path of the service.
  func request(_ path: String, headers: [String] = [], options: [String] = []) -> CurlRequest {
    CurlRequest(url.address(path), headers: senderHeaders + headers, options: options)
  }

  /// The header fields that identify the sender, as curl reads them from a file (curl(1), `--header`).
  ///
  /// Only requests to the service's own address have them.
  var senderHeaders: [String] { options.headersFile.map { ["@\($0)"] } ?? [] }

  /// Deletes the session, even in a cancelled task.
  func deleteSession() {
    guard let session else { return }
    var request = session.request(url)
    request.method = "DELETE"
    curl.finish(request)
    self.session = nil
  }
}
