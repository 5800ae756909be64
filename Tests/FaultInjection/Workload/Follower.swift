import FusionRawHTTP
import Synchronization

/// A subscriber of one session's stream that reconnects until the service ends.
struct Follower {
  let session: History.SessionPath

  /// The limit of heartbeats before the last version; a heartbeat shows that no event was due.
  private static let mostBeats = 20

  /// Reads until the process is dead, or the last version has arrived or is overdue.
  func run(in round: Round) {
    while round.service.isAlive {
      do {
        if try follow(in: round) { return }
      } catch {
        // Reconnects after a refused or broken connection.
      }
    }
  }

  /// Follows one connection to its end; returns whether nothing more is expected.
  private func follow(in round: Round) throws -> Bool {
    let (asked, stream) = (now(), nextStream.add(1, ordering: .relaxed).newValue)
    let connection = try RawClient(round.service.port, silence: 30)
    connection.request("GET \(session)/events")
    let status = try connection.head()?.status
    // A session that is deleted or unknown stays so.
    guard status == 200 else { return status == 404 || status == 410 }
    var (text, newest, beats) = ("", 0, 0)
    while let chunk = try connection.chunk(), !chunk.isEmpty {
      let received = now()
      guard round.service.isAlive else { return true }
      text += String(decoding: chunk, as: UTF8.self)
      while let end = text.firstRange(of: "\n\n") {
        let event = text[..<end.lowerBound]
        text = String(text[end.upperBound...])
        guard let data = event.firstRange(of: "data: "),
          let snapshot = Snapshot(event[data.upperBound...])
        else {
          beats += 1
          continue
        }
        round.recorder.record(
          View(
            session,
            .stream(stream),
            asked: newest == 0 ? asked : nil,
            received: received,
            version: snapshot.version,
            items: snapshot.items
          )
        )
        newest = snapshot.version
      }
      guard let last = round.lastVersion(of: session) else {
        beats = 0
        continue
      }
      if newest >= last || beats > Self.mostBeats {
        round.recorder.record(StreamEnd(session, newest: newest, version: last))
        return true
      }
    }
    return false
  }
}

/// A counter that numbers streams.
private let nextStream = Atomic(0)
