import Synchronization
package import UIFusionKit

/// A version of a session's State, as it leaves the service.
package final class Snapshot: Sendable {
  /// The bytes that streams share, made for the first that sends them.
  private struct Forms {
    /// Nearly always one: all streams of a session have one format.
    var made: [(kind: ObjectIdentifier, form: Form)] = []
    var patch: Patch?
  }

  /// Bytes that are made once, with a mark for their maker.
  package struct Form: Sendable {
    package let bytes: [UInt8]
    package let mark: UInt64

    package init(_ bytes: [UInt8], mark: UInt64 = 0) {
      (self.bytes, self.mark) = (bytes, mark)
    }
  }

  /// A patch from an earlier version's State; without a text where sending the State is shorter.
  private final class Patch: Sendable {
    let base: Int
    let text: [UInt8]?
    let form = Mutex<Form?>(nil)

    init(from base: Int, _ text: [UInt8]?) {
      self.base = base
      self.text = text
    }
  }

  package let version: Int
  /// The State as clients get it.
  package let shown: StateText
  /// The State as it is stored, if clients get another.
  private let separateStoredText: StateText?
  /// A number that changes with the counts of the State's Pulses.
  package let pulses: UInt64
  /// Whether a Pulse was assigned since the version before.
  package let hasNewPulse: Bool
  private let forms = Mutex(Forms())
  /// Not in ``forms``, whose lock the threads of servers take: compressing takes long.
  private let compressed = Mutex<Form?>(nil)

  /// Creates a snapshot; the first version has no earlier one, and no new Pulse.
  private init(
    version: Int,
    _ shown: StateText,
    separateStoredText: StateText? = nil,
    pulses: UInt64 = 0,
    after previous: Snapshot? = nil
  ) {
    self.version = version
    self.shown = shown
    self.separateStoredText = separateStoredText
    self.pulses = pulses
    hasNewPulse = previous.map { $0.pulses != pulses } ?? false
  }

  package convenience init(
    version: Int,
    state: [UInt8],
    pulses: UInt64 = 0,
    after previous: Snapshot? = nil
  ) {
    self.init(version: version, StateText(state), pulses: pulses, after: previous)
  }

  package convenience init(version: Int, _ state: EncodedState, after previous: Snapshot?) {
    self.init(
      version: version,
      state.text,
      separateStoredText: state.separateStoredText,
      pulses: state.pulses,
      after: previous
    )
  }

  /// The State as clients get it, as JSON: put together with each call, where it is kept in pieces.
  package var state: [UInt8] { shown.bytes }

  /// The State as it is stored.
  package var stored: StateText { separateStoredText ?? shown }

  /// The size of the State as clients get it.
  package var shownSize: Int { shown.count }

  /// The size of the larger of both.
  package var size: Int { max(shown.count, stored.count) }

  /// Whether clients get the State as it is stored.
  var isShownAsStored: Bool { separateStoredText == nil }

  /// Returns the bytes that all streams of one format send for this version.
  package func bytes(in format: ObjectIdentifier, _ make: (Snapshot) -> [UInt8]) -> [UInt8] {
    form(format) { Form(make($0)) }.bytes
  }

  /// Returns the snapshot in another form.
  package func form(_ kind: ObjectIdentifier, _ make: (Snapshot) -> Form) -> Form {
    forms.withLock { forms in
      if let made = forms.made.first(where: { $0.kind == kind }) { return made.form }
      let form = make(self)
      forms.made.append((kind, form))
      return form
    }
  }

  /// Returns the members compressed, for streams of all formats and for answers; after a nil, `make` is called again
  /// the next time.
  package func compressed(_ make: (Snapshot) -> Form?) -> Form? {
    compressed.withLock { form in
      form = form ?? make(self)
      return form
    }
  }

  /// Whether the compressed members are made; does not wait for a thread that makes them.
  package var isCompressed: Bool { compressed.withLockIfAvailable { $0 != nil } ?? false }

  /// Returns the patch from a version, which all streams share that sent that version last.
  package func patch(from version: Int, _ make: () -> [UInt8]?) -> [UInt8]? {
    forms.withLock { forms in
      if let patch = forms.patch, patch.base == version { return patch.text }
      let made = make()
      forms.patch = Patch(from: version, made)
      return made
    }
  }

  /// Returns another form of a patch that was made, for all streams that send it; nil if there is none for now.
  package func patchForm(from version: Int, _ make: ([UInt8]) -> Form?) -> Form? {
    guard let patch = forms.withLock(\.patch), patch.base == version, let text = patch.text else {
      return nil
    }
    return patch.form.withLock { form in
      form = form ?? make(text)
      return form
    }
  }
}

/// A State as JSON.
package final class EncodedState: RenderedState {
  /// The text that clients get.
  package let text: StateText
  /// The text that is stored, if clients get another.
  fileprivate let separateStoredText: StateText?
  /// A number that changes with the counts of the State's Pulses.
  package let pulses: UInt64
  package let invalid: InvalidState?

  /// Whether so much was written that such a turn takes at least three times as long as a small one.
  package let wasCostly: Bool

  /// The JSON that clients get.
  package var bytes: [UInt8] { text.bytes }

  /// The JSON that is stored.
  package var stored: [UInt8] { (separateStoredText ?? text).bytes }

  /// `work` is the approximate number of bytes that were written; by default those of the longer text.
  package init(
    _ text: StateText,
    separateStoredText: StateText? = nil,
    work: Int? = nil,
    pulses: UInt64 = 0,
    invalid: InvalidState? = nil
  ) {
    self.text = text
    self.separateStoredText = separateStoredText
    self.pulses = pulses
    self.invalid = invalid
    wasCostly = work ?? max(text.count, separateStoredText?.count ?? 0) >= 16 << 10
  }

  package convenience init(_ bytes: [UInt8], invalid: InvalidState? = nil) {
    self.init(StateText(bytes), invalid: invalid)
  }

  package func isSame(as other: any RenderedState) -> Bool {
    (other as? EncodedState).map { bytes == $0.bytes && stored == $0.stored } ?? false
  }
}
