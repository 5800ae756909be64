import FusionJSONPatch
import FusionSessions
import FusionStrictJSON

extension Snapshot {
  /// Returns the patch from an earlier State; nil where the State itself is shorter.
  func patch(from base: Snapshot) -> [UInt8]? {
    patch(from: base.version) {
      // A patch event has this member beside those of a state event.
      let limit = state.count - "\"from\":\(base.version),".utf8.count
      guard limit > 2, let old = try? JSONDocument(base.state), let new = try? JSONDocument(state)
      else { return nil }
      return JSONPatch.text(from: old.root, to: new.root, limit: limit)
    }
  }
}
