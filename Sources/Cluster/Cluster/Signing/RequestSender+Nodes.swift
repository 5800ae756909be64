import FusionHTTPMessages

/// The text in which a node tells another who sends a request.
extension RequestSender {
  private static let programText = "program"
  private static let identityPrefix = "identity="

  var textBetweenNodes: String {
    guard let identity else { return Self.programText }
    var text = Array(Self.identityPrefix.utf8)
    PercentEncoding.append(identity, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the text of another node; nil for no sender, as for a text of a later version.
  static func sender(betweenNodes text: String?) -> RequestSender? {
    guard let text else { return nil }
    if text == programText { return RequestSender.program }
    guard text.hasPrefix(identityPrefix) else { return nil }
    return PercentEncoding.decoded(text.utf8.dropFirst(identityPrefix.utf8.count)).map {
      RequestSender($0)
    }
  }
}
