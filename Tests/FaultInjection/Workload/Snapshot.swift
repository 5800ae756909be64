import FusionStrictJSON

/// What an answer or an event shows.
struct Snapshot {
  let version: Int
  let items: [InputNumber]
  /// False where nothing says so.
  let isSettled: Bool

  /// Nil where the text is no snapshot of a model.
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
