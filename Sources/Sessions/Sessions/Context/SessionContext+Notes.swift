import UIFusionKit

extension SessionContext {
  /// Returns a note of the code of a session's view model.
  func runNote(
    of id: SessionID,
    _ viewModel: HostedViewModel,
    _ code: RunningCode = .work
  ) -> RunNote {
    var note = RunNote()
    note.session = (id.high, id.low)
    note.viewModel = UInt(bitPattern: ObjectIdentifier(viewModel))
    note.service = noteNumber
    note.code = code
    return note
  }

  /// Runs a function that calls code of a session's view model on this thread.
  func noting<Outcome>(
    _ code: RunningCode,
    _ id: SessionID,
    _ viewModel: HostedViewModel,
    _ body: () throws -> Outcome
  ) rethrows -> Outcome {
    let note = runNote(of: id, viewModel, code)
    let outer = ThreadNotes.exchange(note)
    defer { ThreadNotes.restore(outer, after: note) }
    return try body()
  }
}
