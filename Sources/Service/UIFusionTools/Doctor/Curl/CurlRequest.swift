/// One request, as the arguments of `curl` and as a line for people.
struct CurlRequest: Sendable {
  /// Its addresses: more than one are asked one after another, over one connection.
  var addresses: [String]
  var method = "GET"
  var headers: [String] = []
  /// JSON; nil sends none.
  var body: String?
  /// What `curl` is told beside these.
  var options: [String] = []
  /// A session's id, instead of which people are shown a variable: it is gone when they read it.
  var session: String?

  /// What stands for a session's id.
  static let sessionVariable = "$ID"

  init(_ address: String, headers: [String] = [], options: [String] = []) {
    addresses = [address]
    self.headers = headers
    self.options = options
  }

  /// The request as `curl` takes it, without what all requests have.
  ///
  /// `--data-raw`, as `--data` would read a file for an `@`.
  var arguments: [String] {
    options + (method == "GET" ? [] : ["-X", method])
      + allHeaders.flatMap { ["-H", $0] } + (body.map { ["--data-raw", $0] } ?? [])
      + addresses.flatMap { ["--url", $0] }
  }

  /// What a person types to see the same.
  var line: String {
    let isShown = ["-N", "-v", "--compressed"]
    var words = ["curl", options.contains("-v") ? "-s" : "-si"] + options.filter(isShown.contains)
    if method != "GET", !(method == "POST" && body != nil) { words += ["-X", method] }
    words += allHeaders.flatMap { ["-H", Self.quoted($0)] }
    if let body { words += ["-d", Self.quoted(body)] }
    let address = addresses.first ?? ""
    // The variable is outside of quotation marks, or a shell would leave it as it is.
    let parts = session.map { address.split(separator: $0, omittingEmptySubsequences: false) }
    let texts = parts?.map { $0.isEmpty ? "" : Self.quoted(String($0)) } ?? [Self.quoted(address)]
    return (words + [texts.joined(separator: Self.sessionVariable)]).joined(separator: " ")
  }

  private var allHeaders: [String] {
    (body == nil ? [] : ["Content-Type: application/json"]) + headers
  }

  /// As a shell takes it: nothing within quotation marks means anything to it.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.wholeMatch(of: /[A-Za-z0-9_\-.,:\/=@%+~]+/) != nil
    return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
