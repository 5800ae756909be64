/// A control group that limits a process (cgroups(7)).
package struct ControlGroup {
  /// The folder with the group's files.
  package let folder: String
  /// Whether the group is of cgroups version 2.
  package let isUnified: Bool

  /// Returns a process's control groups and all groups above them, whose limits apply as well.
  ///
  /// A container sees its own group as the root.
  ///
  /// - Parameters:
  ///   - controller: the controller whose hierarchy is used in version 1.
  ///   - list: the file with one line for each hierarchy, `number:controllers:group`.
  ///   - root: the folder in which the hierarchies are mounted.
  ///   - read: returns a file's text; nil if it cannot be read.
  /// - Returns: the groups, the root of each hierarchy first.
  package static func all(
    of controller: String,
    inProcess list: String,
    under root: String,
    read: (String) -> String?
  ) -> [ControlGroup] {
    (read(list) ?? "").split(separator: "\n").flatMap { line -> [ControlGroup] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let isUnified = parts[0] == "0" && parts[1].isEmpty
      let controllers = parts[1].split(separator: ",")
      guard isUnified || controllers.contains(Substring(controller)) else { return [] }
      // For `/a/b`: the root as an empty text, `/a` and `/a/b`.
      let groups = parts[2].split(separator: "/").reduce(into: [""]) {
        $0.append("\($0[$0.count - 1])/\($1)")
      }
      let mount = isUnified ? root : "\(root)/\(controller)"
      return groups.map { ControlGroup(folder: mount + $0, isUnified: isUnified) }
    }
  }
}
