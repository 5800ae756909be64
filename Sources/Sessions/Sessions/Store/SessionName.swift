import UIFusionKit

/// The name of a session, which no other session of its view model and its identity has.
///
/// Names compare by their bytes: two spellings of one text are two names.
package struct SessionName: Sendable, Hashable {
  /// The most bytes of a name.
  package static let limit = 255

  package let text: String
  package let viewModel: String
  /// The identity that the session belongs to; nil if it belongs to none.
  package let identity: String?

  /// Creates a name; nil unless the text has 1 to ``limit`` bytes and no control characters.
  package init?(_ text: String, of viewModel: String, for identity: String? = nil) {
    guard Self.isName(text) else { return nil }
    self.init(stored: text, of: viewModel, for: identity)
  }

  /// Returns whether a text has the length and the characters of a name, or of an identity's id.
  package static func isName(_ text: String) -> Bool {
    (1...limit).contains(text.utf8.count)
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  init(stored text: String, of viewModel: String, for identity: String?) {
    self.text = text
    self.viewModel = viewModel
    self.identity = identity
  }

  package static func == (a: SessionName, b: SessionName) -> Bool {
    a.text.hasSameBytes(as: b.text) && a.viewModel.hasSameBytes(as: b.viewModel)
      && a.identity.map(ByteString.init) == b.identity.map(ByteString.init)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ByteString(text))
  }
}

extension StoredSession {
  /// The name, with the view model and the identity for which it is unique; nil if the session has none.
  package var sessionName: SessionName? {
    name.map { SessionName(stored: $0, of: viewModel, for: identity) }
  }
}
