import FusionStrictJSON

/// The content of an answer or an event.
struct Snapshot {
  let version: Int
  let items: [InputNumber]
  /// Whether the text says that the session is settled.
  let isSettled: Bool

  /// Reads a snapshot; nil if the text is no snapshot of a ``ModelState``.
  init?(_ text: some StringProtocol) {
    guard let root = try? JSONDocument(Array(text.utf8)).root,
      let version = try? root["version"]?.decode(Int.self),
      let items = try? root["state"]?["items"]?.decode([InputNumber].self)
    else { return nil }
    self.version = version
    self.items = items
    isSettled = root["settled"]?.bool ?? false
  }
}
