import FusionStrictJSON

/// A session of the doctor's own, which is deleted when it is done.
struct TrialSession: Sendable {
  let id: String
  let viewModel: String
  /// An Input of its view model without values, as JSON; nil where it has none.
  var input: String?

  /// - Parameter answer: what its creation was answered.
  init?(_ answer: CurlAnswer) {
    guard let tree = answer.json, let id = tree["id"]?.string,
      let viewModel = tree["viewModel"]?.string, id.wholeMatch(of: /[A-Za-z0-9_\-]{1,128}/) != nil
    else { return nil }
    self.id = id
    self.viewModel = viewModel
  }

  func request(_ url: ServiceURL, _ path: String = "", headers: [String] = []) -> CurlRequest {
    var request = CurlRequest(url.address("/sessions/\(id)\(path)"), headers: headers)
    request.session = id
    return request
  }

  /// A `POST` of its Input; nil where it has none.
  func inputRequest(_ url: ServiceURL, headers: [String] = []) -> CurlRequest? {
    guard let input else { return nil }
    var request = request(url, "/inputs", headers: headers)
    request.method = "POST"
    request.body = input
    return request
  }

  /// What a person types to have a session of the same kind: its id is then `$ID`, as commands have it.
  func preparation(_ url: ServiceURL) -> String {
    var request = CurlRequest(url.address("/sessions"))
    request.method = "POST"
    request.body = JSONTree.object([.init("viewModel", .string(viewModel))]).text
    let id = #"sed 's/.*"id":"\([^"]*\)".*/\1/'"#
    return "ID=$(\(request.line.replacing("curl -si", with: "curl -s")) | \(id))"
  }

  /// The first Input that is written as its mere name, in the description of a view model.
  static func input(in spec: JSONTree) -> String? {
    let examples = (spec["inputs"]?.elements ?? []).flatMap { $0["examples"]?.elements ?? [] }
    return examples.first { $0.string != nil }?.text
  }
}
