import FusionStrictJSON

/// The session that the checks use.
struct TrialSession: Sendable {
  let id: String
  let viewModel: String
  /// The header fields of every request, which identify the sender.
  let senderHeaders: [String]
  /// An Input without values, as JSON; nil if the view model has none.
  var input: String?

  /// Reads the answer to the creation of a session; fails for any other.
  init?(_ answer: CurlAnswer, senderHeaders: [String] = []) {
    guard let tree = answer.json, let id = tree["id"]?.string,
      let viewModel = tree["viewModel"]?.string, id.wholeMatch(of: /[A-Za-z0-9_\-]{1,128}/) != nil
    else { return nil }
    self.id = id
    self.viewModel = viewModel
    self.senderHeaders = senderHeaders
  }

  /// Makes a request for a path of the session.
  func request(_ url: ServiceURL, _ path: String = "", headers: [String] = []) -> CurlRequest {
    var request = CurlRequest(
      url.address("/sessions/\(id)\(path)"),
      headers: senderHeaders + headers
    )
    request.session = id
    return request
  }

  /// Makes a `POST` of the Input; nil if there is none.
  func inputRequest(_ url: ServiceURL, headers: [String] = []) -> CurlRequest? {
    guard let input else { return nil }
    var request = request(url, "/inputs", headers: headers)
    request.method = "POST"
    request.body = input
    return request
  }

  /// Returns the command that makes a session of the same kind and sets `$ID`, which the other commands use.
  func preparation(_ url: ServiceURL) -> String {
    var request = CurlRequest(url.address("/sessions"), headers: senderHeaders)
    request.method = "POST"
    request.body = JSONTree.object([.init("viewModel", .string(viewModel))]).text
    let id = #"sed 's/.*"id":"\([^"]*\)".*/\1/'"#
    return "ID=$(\(request.line.replacing("curl -si", with: "curl -s")) | \(id))"
  }

  /// Returns the first Input without values in the description of a view model.
  static func input(in spec: JSONTree) -> String? {
    let examples = (spec["inputs"]?.elements ?? []).flatMap { $0["examples"]?.elements ?? [] }
    return examples.first { $0.string != nil }?.text
  }
}
