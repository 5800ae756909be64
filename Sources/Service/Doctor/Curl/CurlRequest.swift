/// A request, as arguments of `curl` and as a command for people.
struct CurlRequest: Sendable {
  /// The addresses to request one after another over one connection.
  var addresses: [String]
  var method = "GET"
  var headers: [String] = []
  /// The JSON body, if any.
  var body: String?
  /// Further options of `curl`.
  var options: [String] = []
  /// The session id in the address, which people see as a variable: the session is gone when they read it.
  var session: String?

  /// The variable for the session id.
  static let sessionVariable = "$ID"

  init(_ address: String, headers: [String] = [], options: [String] = []) {
    addresses = [address]
    self.headers = headers
    self.options = options
  }

  /// The arguments of `curl`, without those that all requests have.
  ///
  /// The body is in `--data-raw`, since `--data` would read a file for an `@`.
  var arguments: [String] {
    options + (method == "GET" ? [] : ["-X", method])
      + allHeaders.flatMap { ["-H", $0] } + (body.map { ["--data-raw", $0] } ?? [])
      + addresses.flatMap { ["--url", $0] }
  }

  /// The command for people.
  var line: String {
    let isShown = ["-N", "-v", "--compressed"]
    var words = ["curl", options.contains("-v") ? "-s" : "-si"] + options.filter(isShown.contains)
    if method != "GET", !(method == "POST" && body != nil) { words += ["-X", method] }
    words += allHeaders.flatMap { ["-H", Self.quoted($0)] }
    if let body { words += ["-d", Self.quoted(body)] }
    let address = addresses.first ?? ""
    // The variable is outside of quotation marks, or a shell would not expand it.
    let parts = session.map { address.split(separator: $0, omittingEmptySubsequences: false) }
    let texts = parts?.map { $0.isEmpty ? "" : Self.quoted(String($0)) } ?? [Self.quoted(address)]
    return (words + [texts.joined(separator: Self.sessionVariable)]).joined(separator: " ")
  }

  private var allHeaders: [String] {
    (body == nil ? [] : ["Content-Type: application/json"]) + headers
  }

  /// Quotes a text for a shell.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.wholeMatch(of: /[A-Za-z0-9_\-.,:\/=@%+~]+/) != nil
    return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
