/// What is examined, and what is known of it so far.
///
/// The task of the command has it alone.
final class Deployment {
  let url: ServiceURL
  let curl: Curl
  let options: Options
  /// Tells a person who watches what is waited for; an empty text takes it back.
  let tell: (String) -> Void

  struct Options: Sendable {
    /// Which view model a session is made of; nil leaves the choice.
    var viewModel: String?
    /// Whether nothing is waited for that takes as long as a heartbeat.
    var isQuick = false
  }

  /// Whether there is any use in going on.
  var isUsable = true
  var proxy = ProxyKind.unknown
  /// The headers of an answer of the service.
  var head: MessageHead?
  var route: Route?
  /// The session that is tried out.
  var session: TrialSession?

  init(_ url: ServiceURL, _ curl: Curl, _ options: Options, tell: @escaping (String) -> Void) {
    self.url = url
    self.curl = curl
    self.options = options
    self.tell = tell
  }

  /// How long a stream may be silent, in seconds.
  var heartbeat: Double { route?.heartbeat ?? 15 }

  func request(_ path: String, headers: [String] = [], options: [String] = []) -> CurlRequest {
    CurlRequest(url.address(path), headers: headers, options: options)
  }

  /// Deletes the session, even where the task is cancelled.
  func leave() {
    guard let session else { return }
    var request = session.request(url)
    request.method = "DELETE"
    curl.finish(request)
    self.session = nil
  }
}
