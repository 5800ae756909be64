import FusionHTTPMessages

/// The word in which a node tells another who sends a request.
///
/// It stands in the header of the ``ConnectionInfo``, which nodes of every build take from clients and sign anew.
extension RequestSender {
  private static let word = "sender="
  private static let programText = "program"
  private static let identityPrefix = "identity="

  var wordBetweenNodes: String {
    guard let identity else { return Self.word + Self.programText }
    var text = Array((Self.word + Self.identityPrefix).utf8)
    PercentEncoding.append(identity, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the words of another node; nil for no sender, as for a word of a later version.
  static func sender(betweenNodes words: String) -> RequestSender? {
    guard let word = words.split(separator: " ").first(where: { $0.hasPrefix(Self.word) }) else {
      return nil
    }
    let text = word.dropFirst(Self.word.count)
    if text == programText { return RequestSender.program }
    guard text.hasPrefix(identityPrefix) else { return nil }
    return PercentEncoding.decoded(text.utf8.dropFirst(identityPrefix.utf8.count)).map {
      RequestSender($0)
    }
  }
}
