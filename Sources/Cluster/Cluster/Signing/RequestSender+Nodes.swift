import FusionHTTPMessages
import FusionSessionAPI
import UIFusionKit

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
  /// Follows for a session's reply.
  private static let replyWord = "reply"
  private static let nameWord = "name="
  private static let roleWord = "role="
  /// A claim's name and value follow, with `=` between them.
  private static let claimWord = "claim="

  var wordBetweenNodes: String {
    let reply = isReply ? " \(Self.replyWord)" : ""
    let session = session.map { " \(Self.sessionWord)\($0)\(reply)" } ?? ""
    guard let identity else {
      return Self.word + (self === Self.program ? Self.programText : Self.nobodyText) + session
    }
    var text = Array((Self.word + Self.identityPrefix).utf8)
    PercentEncoding.append(identity, to: &text)
    text += session.utf8
    // A later build's words are ignored by an earlier one.
    if let person {
      for (word, value) in [(Self.nameWord, person.name)]
        + person.roles.map({ (Self.roleWord, $0) })
      {
        guard let value else { continue }
        text += " \(word)".utf8
        PercentEncoding.append(value, to: &text)
      }
      for (name, value) in person.claims {
        text += " \(Self.claimWord)".utf8
        PercentEncoding.append(name, to: &text)
        text.append(UInt8(ascii: "="))
        PercentEncoding.append(value, to: &text)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the words of another node; nil for no sender, or for a word of a later version.
  static func sender(betweenNodes words: String) -> RequestSender? {
    let words = words.split(separator: " ")
    func value(_ prefix: String) -> Substring? {
      words.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
    }
    guard let text = value(word) else { return nil }
    let session = value(sessionWord).map(String.init)
    let isReply = words.contains { $0 == replyWord }
    if text == programText { return RequestSender.program }
    if text == nobodyText {
      return session.map { RequestSender(session: $0, of: nil, isReply: isReply) }
    }
    guard text.hasPrefix(identityPrefix) else { return nil }
    guard let id = decoded(text.dropFirst(identityPrefix.count)) else { return nil }
    if let session { return RequestSender(session: session, of: id, isReply: isReply) }
    var person = Identity(id: id, name: value(nameWord).flatMap(decoded))
    for word in words where word.hasPrefix(roleWord) {
      if let role = decoded(word.dropFirst(roleWord.count)) { person.roles.insert(role) }
    }
    for word in words where word.hasPrefix(claimWord) {
      let parts = word.dropFirst(claimWord.count).split(
        separator: "=",
        omittingEmptySubsequences: false
      )
      guard parts.count == 2, let name = decoded(parts[0]), let value = decoded(parts[1]) else {
        continue
      }
      person.claims[name] = value
    }
    return RequestSender(id, name: person.name, details: person)
  }

  private static func decoded(_ text: Substring) -> String? { PercentEncoding.decoded(text.utf8) }
}
