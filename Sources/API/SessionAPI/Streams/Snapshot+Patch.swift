import FusionJSONPatch
import FusionSessions
import FusionStrictJSON

extension Snapshot {
  /// Returns the patch from an earlier State; nil if the State itself is shorter.
  func patch(from base: Snapshot) -> [UInt8]? {
    patch(from: base.version) {
      // A patch event has this member in addition to those of a state event.
      let limit = shownSize - "\"from\":\(base.version),".utf8.count
      guard limit > 2 else { return nil }
      if let patch = JSONPatch.text(fromPiecesOf: base.shown, to: shown, limit: limit) {
        return patch
      }
      guard let old = try? JSONDocument(base.state), let new = try? JSONDocument(state)
      else { return nil }
      return JSONPatch.text(from: old.root, to: new.root, limit: limit)
    }
  }
}
