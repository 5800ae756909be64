import FusionJSONPatch
package import FusionSessions
import FusionStrictJSON

extension HostedViewModel.Patches {
  /// JSON Patches, as long as they are less than half of the State, and give it to the byte.
  package static let json = HostedViewModel.Patches(
    make: { old, new in
      guard let patch = patch(from: old, to: new),
        // A member that comes in stands last, which is not where every encoder writes it.
        (try? applied(patch, to: old)) == new
      else { return nil }
      return patch
    },
    apply: { patch, old in try applied(patch, to: old) }
  )

  private static func patch(from old: [UInt8], to new: [UInt8]) -> [UInt8]? {
    guard let from = try? JSONDocument(old).root, let to = try? JSONDocument(new).root else {
      return nil
    }
    return JSONPatch.text(from: from, to: to, limit: new.count / 2)
  }

  private static func applied(_ patch: [UInt8], to old: [UInt8]) throws -> [UInt8] {
    try JSONPatch.apply(try JSONDocument(patch).root, to: try JSONDocument(old).root)
  }
}
