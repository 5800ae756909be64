import Testing

/// The overview for a reader who opens `Sources`.
struct `The folders of Sources` {
  @Test func `are nine groups of targets`() {
    let rooms = Set(SourceTree.swiftFiles(in: "Sources").map { $0.components[1] })
    // The ninth folder, C, has no Swift.
    let expected: Set = [
      "Kit", "Formats", "HTTP", "Sessions", "API", "Cluster", "Service", "Examples",
    ]
    #expect(rooms == expected)
    #expect(SourceTree.has("Sources/C"))
  }

  @Test func `have at most 16 Swift files each`() {
    for (folder, files) in folders() {
      #expect(files.count <= 16, "\(folder) has \(files.count) files")
    }
  }

  @Test func `hold files of a moderate length`() throws {
    let lengths = try SourceTree.swiftFiles(in: "Sources").map { try $0.lines.count }.sorted()
    let median = lengths[lengths.count / 2]
    #expect((80...140).contains(median), "the median file has \(median) lines")
  }

  /// In a cycle of folders whose types name each other, none can be read first.
  @Test func `name each other's types, and use their extensions, in one direction only`() throws {
    let targets = Dictionary(
      grouping: SourceTree.swiftFiles(in: "Sources"),
      by: { $0.components[2] }
    )
    for (target, files) in targets {
      let cycle = try FolderGraph(files).cycle
      let text = cycle.map(\.description).joined(separator: ", ")
      #expect(cycle.isEmpty, "\(target): \(text)")
    }
  }

  @Test func `are reported if they form a cycle`() {
    let back = FolderGraph.Arrow(from: "B", to: "A", because: "Y.swift names X")
    let graph = FolderGraph(arrows: [
      FolderGraph.Arrow(from: "A", to: "B", because: "X.swift names Y"), back,
      FolderGraph.Arrow(from: "B", to: "C", because: "Y.swift names Z"),
    ])
    #expect(graph.cycle.count == 2 && graph.cycle.contains(back))
    #expect(FolderGraph(arrows: [back]).cycle.isEmpty)
  }

  @Test func `depend on those that extend the types that they use`() throws {
    // MemoryLimit.swift extends Configuration; ServeCommand.swift calls that function, and names no type beside it.
    let graph = try FolderGraph(SourceTree.swiftFiles(ofTarget: "UIFusionServer"))
    let arrow = graph.arrows.first { $0.from.hasSuffix("/Command") && $0.to.hasSuffix("/Memory") }
    #expect(arrow?.because == "ServeCommand.swift names fitting")
  }

  private func folders() -> [String: [SourceFile]] {
    Dictionary(grouping: SourceTree.swiftFiles(in: "Sources"), by: \.folder)
  }
}
