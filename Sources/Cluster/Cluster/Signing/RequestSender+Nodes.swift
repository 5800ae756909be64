import FusionHTTPMessages

/// The word in which a node tells another who sends a request.
///
/// The sender is in the header of the ``ConnectionInfo``, which every build of a node removes from clients' requests.
extension RequestSender {
  private static let word = "sender="
  private static let programText = "program"
  /// The sender of a message whose session belongs to no identity.
  private static let nobodyText = "nobody"
  private static let identityPrefix = "identity="
  private static let sessionWord = "session="

  var wordBetweenNodes: String {
    let session = session.map { " \(Self.sessionWord)\($0)" } ?? ""
    guard let identity else {
      return Self.word + (self === Self.program ? Self.programText : Self.nobodyText) + session
    }
    var text = Array((Self.word + Self.identityPrefix).utf8)
    PercentEncoding.append(identity, to: &text)
    return String(decoding: text, as: UTF8.self) + session
  }

  /// Reads the words of another node; nil for no sender, or for a word of a later version.
  static func sender(betweenNodes words: String) -> RequestSender? {
    let words = words.split(separator: " ")
    func value(_ prefix: String) -> Substring? {
      words.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
    }
    guard let text = value(word) else { return nil }
    let session = value(sessionWord).map(String.init)
    if text == programText { return RequestSender.program }
    if text == nobodyText { return session.map { RequestSender(session: $0, of: nil) } }
    guard text.hasPrefix(identityPrefix) else { return nil }
    return PercentEncoding.decoded(text.utf8.dropFirst(identityPrefix.utf8.count)).map { identity in
      session.map { RequestSender(session: $0, of: identity) } ?? RequestSender(identity)
    }
  }
}
