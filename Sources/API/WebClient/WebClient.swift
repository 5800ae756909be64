/// The client for browsers, as the program carries it.
package enum WebClient {
  /// `/uifusion.js`: one module, made by `make client` of those in `Core` and `Bindings`.
  package static let module = PackageResources.uifusion_js
  /// `/uifusion-more.js`: made of those in `More`, what only some pages need or none needs at once.
  package static let moreModule = PackageResources.uifusion_more_js
  /// `/uifusion-login.js`: made of those in `Login`, what a page needs once its login has ended.
  package static let loginModule = PackageResources.uifusion_login_js
  /// The digest of the first two modules, by which ``module`` asks for ``moreModule``.
  package static let build = String(decoding: moreModule[3..<15], as: UTF8.self)
  /// `/uifusion-gestures.js`: made of those in `Gestures`, for pages that name it.
  package static let gesturesModule = PackageResources.uifusion_gestures_js
  /// The names of which a page has one that needs ``moreModule`` together with ``module``, as in `Bindings/marks.js`.
  package static let marksOfMore = [
    "data-": [
      "address", "confirm", "drag", "drop", "error", "focus", "include", "keys", "local", "open",
      "pulse", "scope", "sort", "transition",
    ],
    "| ": ["currency", "date", "datetime", "list", "number", "percent", "relative", "time"],
  ]
  /// The page of a view model's console, with `{{…}}` for what differs, and its module, made of those in `Console`.
  package static let consolePage = PackageResources.console_html
  package static let consoleModule = PackageResources.console_js
  package static let consoleStyle = PackageResources.console_css
  /// `/uifusion.d.ts`.
  package static let declarations = PackageResources.uifusion_d_ts
}
