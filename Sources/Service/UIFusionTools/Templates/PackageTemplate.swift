/// The texts of a new package's files; each is in a file beside this one.
struct PackageTemplate: Sendable {
  let name: PackageName
  /// The path of UIFusion's folder.
  let uifusion: String
}
