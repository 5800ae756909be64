/// The name of a new package, of its folder and of its executable.
struct PackageName: Sendable, Equatable, CustomStringConvertible {
  let description: String

  /// The rule for names, to follow "must be".
  static let rule =
    "a name of ASCII letters, digits, - and _ that begins with a letter and is not a word of Swift, "
    + "such as shop"

  /// Checks a name; fails if a package or a module cannot have it.
  init?(_ text: String) {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic, text.count <= 64,
      text.utf8.allSatisfy(ofName.contains), !taken.contains(text.lowercased()),
      text.last?.isLetter == true || text.last?.isNumber == true,
      !["uifusion", "fusion", "cfusion"].contains(where: text.lowercased().hasPrefix)
    else { return nil }
    description = text
  }

  /// The name of the module: `my_shop` for `my-shop`.
  var module: String { description.replacing("-", with: "_") }

  /// The name of the view model: `MyShopViewModel` for `my-shop`.
  var viewModel: String { capitalized + "ViewModel" }

  /// The name of the tests: `MyShopTests` for `my-shop`.
  var tests: String { capitalized + "Tests" }

  /// The name of the container image, in lower case.
  var image: String { description.lowercased() }

  private var capitalized: String {
    description.split { $0 == "-" || $0 == "_" }
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }
}

/// The bytes of a name.
let ofName = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

/// Swift's keywords and existing modules, whose names a new module cannot have.
private let taken: Set<String> = [
  "any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
  "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
  "for",
  "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
  "operator",
  "package", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
  "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
  "typealias", "var", "where", "while",
  "cxx", "dispatch", "distributed", "faults", "foundation", "foundationessentials", "glibc", "main",
  "async", "observation", "packagedescription", "reducer", "regexbuilder", "simulate", "swift",
  "synchronization",
  "testing", "xctest",
]
