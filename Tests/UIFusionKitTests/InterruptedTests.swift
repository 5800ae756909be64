import Testing
import UIFusionKit
import UIFusionTesting

private enum Job: Hashable { case load, save(Int) }

struct `The interrupted work` {
  private enum Other { case load }

  @Test func `is identified by the type and value of its id`() {
    let interrupted = Interrupted(ids: Job.load, Job.save(1), 5)
    #expect(interrupted.contains(Job.load))
    #expect(interrupted.contains(Job.save(1)))
    #expect(interrupted.contains(5))
    #expect(interrupted.contains(EffectID(Job.load)))
    #expect(!interrupted.contains(Job.save(2)))
    #expect(!interrupted.contains(Other.load))
    #expect(!interrupted.contains("load"))
    #expect(!interrupted.contains(5 as UInt8))
    #expect(!interrupted.contains("5"))
    #expect(!interrupted.isEmpty)
    #expect(Interrupted().isEmpty)
  }

  @Test(arguments: ["foreign", "unnamed", "", "/", "hall/foreign", "String.foreign"])
  func `is found by an id that is spelled like a mark of the engine`(id: String) async {
    let names = await running(.timer(id: id, every: .seconds(1), action: "b"))
    #expect(names.allSatisfy { $0 == [EffectID(id).storedName] } && !names.isEmpty)
    let interrupted = Interrupted(names[0])
    #expect(interrupted == Interrupted(ids: id) && interrupted.contains(id))
    #expect(!Interrupted(["foreign", "unnamed"]).contains(id))
    #expect(interrupted != Interrupted(names[0] + ["foreign"]))
  }

  @Test func `has the same name in the next process`() async throws {
    // Swift prints a private type with an address in its name.
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardOutputContent]
    ) {
      print("<\(names().joined(separator: ", "))>")
    }
    let printed = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(printed.contains("<\(names().joined(separator: ", "))>"))
  }

  @Test func `without an id belongs to no id`() async {
    let names = await running(.sleepThen(for: .seconds(3600), action: "b"))
    #expect(names == [["unnamed"]])
    let interrupted = Interrupted(["unnamed"])
    #expect(!interrupted.isEmpty)
    #expect(!interrupted.contains("unnamed"))
  }

  @Test func `of an Input has no name`() async {
    let comeback = Comeback(from: ["old"]) { `A restored view model`.Asynchronous(time: $0) }
    await comeback.resume(Interrupted(ids: "job"))
    // In the State at the start, during the wait and at the end.
    #expect(comeback.running == [["unnamed"], ["unnamed"], []])
  }

  @Test func `is empty for a turn that is over`() async {
    #expect(await running(.none) == [[]])
    #expect(await running(.action("b")) == [[], []])
  }

  @Test func `names a running effect in each State published meanwhile`() async {
    let load = EffectID(Job.load).storedName
    #expect(
      await running(.timer(id: Job.load, every: .seconds(1), action: "b")) == [[load], [load]]
    )
    let run = AsyncEffect<String>.run(id: Job.load) { send in
      await send("b")
      await send("c")
    }
    #expect(await running(run) == [[load], [load], [load]])
  }

  @Test func `excludes an effect that has sent its only action`() async {
    let load = EffectID(Job.load).storedName
    #expect(await running(.runAction(id: Job.load) { "b" }) == [[load], []])
    let caught = AsyncEffect<String>.runCatchingError(id: Job.load, errorAction: { _ in "e" }) {
      throw Trouble()
    }
    #expect(await running(caught) == [[load], []])
    #expect(
      await running(.sleepThen(id: Job.load, for: .seconds(1), action: "b")) == [[load], []]
    )
    let debounced = AsyncEffect<String>.debounce(id: Job.load, for: .seconds(1), .action("b"))
    #expect(await running(debounced) == [[load], []])
  }

  @Test func `includes the effect that follows one that has sent its only action`() async {
    let (load, save) = (EffectID(Job.load).storedName, EffectID(Job.save(1)).storedName)
    let both = AsyncEffect<String>.merge(
      .runAction(id: Job.load) { "b" },
      .runAction(id: Job.save(1)) { "c" }
    )
    #expect(await running(both) == [[load], [save], []])
  }

  @Test func `includes a queued effect`() async {
    let load = EffectID(Job.load).storedName
    let queue = AsyncEffect<String>.concurrent(
      .runAction(id: Job.load, policy: .queue(limit: 1)) { "b" },
      .runAction(id: Job.load, policy: .queue(limit: 1)) { "c" }
    )
    #expect(await running(queue) == [[load], [load], []])
  }

  /// Returns the names of the running effects that are stored with each State: the State of an action with
  /// this effect, and the States of the following second.
  private func running(_ effect: AsyncEffect<String>) async -> [[String]] {
    let comeback = Comeback(from: nil) { _ in Starting(effect: effect) }
    comeback.send("a")
    await comeback.clock.advance(by: .seconds(1))
    return comeback.running
  }
}

private struct Trouble: Error {}

/// Starts an effect with the action "a".
private struct Starting: ReducerViewModel {
  var state = [String]()
  let effect: AsyncEffect<String>

  func transform(_ input: String) -> [String] { [input] }

  func reduce(state: inout [String], action: String) -> [AsyncEffect<String>] {
    state.append(action)
    return action == "a" ? [effect] : []
  }
}

private func names() -> [String] {
  enum Local { case id }
  struct Around<Value: Hashable & Sendable>: Hashable { let value: Value }
  return [
    EffectID(Job.load), EffectID(Job.save(1)), EffectID(Local.id), EffectID("id"),
    EffectID(Around(value: Job.load)),
  ].map(\.storedName)
}
