import FusionJSONPatch
package import FusionSessions
import FusionStrictJSON

extension HostedViewModel.Patches {
  /// JSON Patches, as long as they are less than half of the State, and give it to the byte.
  package static let json = HostedViewModel.Patches(
    make: { old, new in JSONPatch.text(from: old, to: new, limit: new.count / 2) },
    apply: { patch, old in
      try JSONPatch.apply(try JSONDocument(patch).root, to: try JSONDocument(old).root)
    }
  )
}
