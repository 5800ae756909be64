import Foundation
import FusionRawHTTP
import Testing

extension `The tools` {
  /// A program of Node's that uses the client of `counter-sync`.
  private static let program = """
    import { openCounterSync, Problem } from './counter-sync.js';

    const counter = await openCounterSync(process.argv[2], { name: 'mine' });
    const values = [counter.state.value];
    counter.observe(({ state }) => { if (values.at(-1) !== state.value) values.push(state.value); });
    await Promise.all(['increase', 'increase', 'decrease'].map((input) => counter.send(input, { settled: true })));
    const refusal = await counter.send({ climb: 1 }).catch((error) => error);
    const again = await openCounterSync(process.argv[2], { id: counter.id });
    console.log(JSON.stringify([
      values, refusal instanceof Problem && refusal.status, again.state.value, counter.isOutdated,
    ]));
    await again.end();
    await new Promise((done) => counter.observe(({ connection }) => { if (connection === 'ended') done(); }));
    console.log(counter.endReason);

    """

  @Test func `write a client that Node runs`() throws {
    defer { remove() }
    let service = try serve("--public", folder)
    let client = folder + "/client"
    let written = try run(
      "client",
      "typescript",
      "--view-model",
      "counter-sync",
      "--output",
      client
    )
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.output == "wrote counter-sync.d.ts and counter-sync.js to \(client)\n")
    try Self.program.write(toFile: client + "/main.js", atomically: true, encoding: .utf8)
    try #"{"type":"module"}"#.write(
      toFile: client + "/package.json",
      atomically: true,
      encoding: .utf8
    )
    let result = try run(
      "/usr/bin/env",
      ["node", client + "/main.js", "http://127.0.0.1:\(service.port)"]
    )
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "[[0,1,2,1],422,1,false]\ndeleted\n")
    _ = try service.stop()
  }

  @Test func `write types for a page, and name what is not hosted`() throws {
    defer { remove() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let words = ["client", "typescript", "--output", folder]
    let page = try run(executable.path, words + ["--page", "--view-model", "shop"])
    #expect(page.output == "wrote shop.d.ts to \(folder)\n")
    let all = try run(executable.path, words)
    #expect(all.output.split(separator: "\n").count > 20)
    let unknown = try run(executable.path, words + ["--view-model", "shp"])
    #expect(unknown.status == 2)
    #expect(unknown.errors == "uifusion: no view model shp is hosted: did you mean shop?\n")
    let file = try run("client", "typescript", "--output", folder + "/shop.js/x")
    #expect(
      file.status == 1 && file.errors.hasPrefix("uifusion: cannot write \(folder)/shop.js/x/")
    )
  }
}
