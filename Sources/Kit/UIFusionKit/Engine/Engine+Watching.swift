import Synchronization

/// Notes events for the watchers of the session.
///
/// Unless someone watches, each note costs only a test for nil.
extension Engine {
  /// Starts to note events, beginning with the running work; or stops.
  ///
  /// Effective with the next step: call ``wake()``.
  package nonisolated func setWatched(_ isWatched: Bool) {
    self.isWatched.store(isWatched, ordering: .relaxed)
    isWatchDue.store(true, ordering: .releasing)
  }

  func updateWatch() {
    _ = isWatchDue.exchange(false, ordering: .acquiring)
    let isWatched = isWatched.load(ordering: .relaxed)
    runner?.setWatched(isWatched)
    guard isWatched else { return watch = nil }
    // Discards the events before the watch.
    if watch == nil { _ = runner?.takeUnseen() }
    let watch = watch ?? EngineWatch()
    self.watch = watch
    watch.begin(watchedWork, setAlarms)
  }

  /// Notes the Inputs, actions and errors since the last call.
  func noteEvents() {
    guard let watch, let runner else { return }
    for line in runner.takeUnseen().split(separator: UInt8(ascii: "\n")) {
      watch.add(.event(Array(line), effect: watch.sender?.number))
      watch.sender = nil
    }
  }

  /// Notes work that a turn requests, which starts after the commit.
  func noteStart(of node: EffectGraph.NodeID, _ work: EffectRun.Work) {
    noteEvents()
    watch?.start(watched(node, work.kind, began: nil), node)
  }

  func noteEnd(of node: EffectGraph.NodeID, _ step: TurnNote.Step) {
    noteEvents()
    watch?.end(node, step)
  }

  func note(_ note: TurnNote) {
    noteEvents()
    watch?.add(note)
  }

  /// Notes a step of the work of an Input, which has no node: its number is negative.
  func noteInputWork(_ number: Int, _ step: TurnNote.Step) {
    if watch == nil { return }
    note(.work(WatchedWork(number: -number, id: nil, kind: .input, began: nil), step))
  }

  private func watched(
    _ node: EffectGraph.NodeID,
    _ kind: WatchedWork.Kind,
    began: Int64?
  ) -> WatchedWork {
    WatchedWork(
      number: node.number,
      id: (graph.name(of: node)?.storedName).map(readableEffectName),
      kind: kind,
      began: began
    )
  }

  /// The running work, in the order in which it started; the start of an Input's work is unknown.
  private var watchedWork: [(EffectGraph.NodeID?, WatchedWork)] {
    let (now, wallTime) = (time.now, wallTime)
    var work: [(EffectGraph.NodeID?, WatchedWork)] = []
    for (node, task) in tasks.sorted(by: { $0.key.number < $1.key.number }) {
      let began = wallTime - Int64((now - task.began) / .milliseconds(1))
      work.append((node, watched(node, task.kind, began: began)))
    }
    for number in inputWork.keys.sorted() {
      work.append((nil, WatchedWork(number: -number, id: nil, kind: .input, began: nil)))
    }
    return work
  }
}

extension EffectRun.Work {
  var kind: WatchedWork.Kind {
    switch self {
    case .operation, .action: .run
    case .pause: .pause
    case .ticks: .timer
    case .traced(let work, _): work.kind
    }
  }
}
