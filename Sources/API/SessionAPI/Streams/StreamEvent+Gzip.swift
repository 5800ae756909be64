import FusionGzip
import FusionHTTPMessages
import FusionSessions

extension StreamEvent {
  /// Returns the event for compressed streams, and its checksum.
  ///
  /// Only the State or the patch is compressed, separately; the text that names sessions is not. Otherwise
  /// the size of events would reveal an id to anyone who can put text into a State (CRIME, BREACH).
  func gzipChunk(in format: some StreamFormat, _ memory: MemoryGauge) -> (BodyChunk, GzipSum) {
    guard case .state(let snapshot, let base, let label) = self else {
      return GzipPart(stored: note(in: format)).chunk
    }
    if let base, let patch = snapshot.patch(from: base) {
      let text = snapshot.deflatedPatch(from: base, memory)
      return Self.part(.patch, (snapshot, label), in: format, patch, text) { bytes in
        Self.appendPatchMembers(to: &bytes, from: base, to: snapshot)
      }.chunk
    }
    let text = snapshot.deflatedMembers(memory)
    let whole = {
      // Not needed if they are already compressed.
      let members = text == nil ? snapshot.members : []
      return Self.part(.state, (snapshot, label), in: format, members, text) { _ in }.chunk
    }
    guard label == nil else { return whole() }
    // Without a label, all streams of one format send the same bytes.
    let form = snapshot.form(.gzip(of: type(of: format))) { _ in
      let (chunk, sum) = whole()
      return Snapshot.Form(chunk.bytes, mark: sum.rawValue)
    }
    return (BodyChunk(framed: form.bytes), GzipSum(rawValue: form.mark))
  }

  /// Whether the event has a whole State that is not yet compressed, and takes long to compress.
  var takesLongToCompress: Bool {
    guard case .state(let snapshot, let base, _) = self, snapshot.takesLong(isCompressed: true)
    else { return false }
    return base.flatMap { snapshot.patch(from: $0) } == nil && !snapshot.isCompressed
  }

  /// Returns an event with `text`, if not nil, in place of `members`.
  private static func part(
    _ name: WireEvent.Name,
    _ position: (snapshot: Snapshot, label: Label?),
    in format: some StreamFormat,
    _ members: [UInt8],
    _ text: DeflatedText?,
    _ appendStart: (inout [UInt8]) -> Void
  ) -> GzipPart {
    guard let text else {
      return GzipPart(
        stored: event(name, position, in: format) { bytes in
          appendStart(&bytes)
          bytes += members
        }
      )
    }
    let frame = event(name, position, in: format, appendStart)
    // Only line ends follow the data.
    let end = frame.lastIndex(of: UInt8(ascii: "}")) ?? frame.endIndex
    var part = GzipPart()
    part.append(stored: frame[..<end])
    part.append(text)
    part.append(stored: frame[end...])
    return part
  }
}

extension Snapshot {
  /// The members that every JSON text of the snapshot has.
  fileprivate var members: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(shownSize + 40)
    appendMembers(to: &bytes)
    return bytes
  }

  /// Returns the compressed members, computed once for streams of all formats and for answers.
  ///
  /// Returns nil if compression is not worthwhile, or while memory is short.
  func deflatedMembers(_ memory: MemoryGauge) -> DeflatedText? {
    compressed { memory.isShort ? nil : deflated($0.members) }?.text
  }

  fileprivate func deflatedPatch(from base: Snapshot, _ memory: MemoryGauge) -> DeflatedText? {
    patchForm(from: base.version) { text in memory.isShort ? nil : deflated(text) }?.text
  }
}

/// Compresses a text without line ends, since those would end a line of the event.
private func deflated(_ text: [UInt8]) -> Snapshot.Form {
  let isOneLine = !text.contains { $0 == 0x0A || $0 == 0x0D }
  guard isOneLine, let text = DeflatedText(compressing: text) else { return Snapshot.Form([]) }
  return Snapshot.Form(text.bytes, mark: text.sum.rawValue)
}

extension Snapshot.Form {
  /// The compressed text; nil if compression is not worthwhile.
  fileprivate var text: DeflatedText? {
    bytes.isEmpty ? nil : DeflatedText(bytes: bytes, sum: GzipSum(rawValue: mark))
  }
}

extension GzipPart {
  fileprivate var chunk: (BodyChunk, GzipSum) { (BodyChunk(bytes), sum) }
}

extension ObjectIdentifier {
  /// The key of the bytes that a snapshot caches for compressed streams of one format.
  fileprivate static func gzip<Format: StreamFormat>(of format: Format.Type) -> ObjectIdentifier {
    ObjectIdentifier(Gzip<Format>.self)
  }
}

/// A namespace whose specializations serve as keys.
private enum Gzip<Part> {}
