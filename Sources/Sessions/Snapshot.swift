import Synchronization

/// One version of a session's State, as it leaves the service.
package final class Snapshot: Sendable {
  /// What streams share: made for the first that sends it.
  private struct Forms {
    /// Nearly always all streams of a session have one format.
    var first: Form?
    var others: [Form] = []
    var patch: Patch?
  }

  private struct Form {
    let format: ObjectIdentifier
    let bytes: [UInt8]
  }

  /// What turns an earlier version's State into this one; without a text where that is no use.
  private final class Patch: Sendable {
    let base: Int
    let text: [UInt8]?

    init(from base: Int, _ text: [UInt8]?) {
      self.base = base
      self.text = text
    }
  }

  package let version: Int
  /// The State as JSON.
  package let state: [UInt8]
  /// Stands for the counts of its Pulses.
  private let pulses: UInt64
  /// Whether a Pulse was assigned since the version before.
  package let hasNewPulse: Bool
  private let forms = Mutex(Forms())

  /// The first version has none before it, and nothing that is new.
  package init(version: Int, state: [UInt8], pulses: UInt64 = 0, after previous: Snapshot? = nil) {
    self.version = version
    self.state = state
    self.pulses = pulses
    hasNewPulse = previous.map { $0.pulses != pulses } ?? false
  }

  package convenience init(version: Int, _ state: EncodedState, after previous: Snapshot?) {
    self.init(version: version, state: state.bytes, pulses: state.pulses, after: previous)
  }

  /// The bytes that all streams of one format send for this version.
  package func bytes(in format: ObjectIdentifier, _ make: (Snapshot) -> [UInt8]) -> [UInt8] {
    forms.withLock { forms in
      if let form = forms.first, form.format == format { return form.bytes }
      if let form = forms.others.first(where: { $0.format == format }) { return form.bytes }
      let form = Form(format: format, bytes: make(self))
      if forms.first == nil { forms.first = form } else { forms.others.append(form) }
      return form.bytes
    }
  }

  /// A patch, for all streams that sent the same version last: as most of them did.
  package func patch(from version: Int, _ make: () -> [UInt8]?) -> [UInt8]? {
    forms.withLock { forms in
      if let patch = forms.patch, patch.base == version { return patch.text }
      let made = make()
      forms.patch = Patch(from: version, made)
      return made
    }
  }
}
