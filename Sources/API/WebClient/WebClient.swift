/// The client for browsers, embedded in the program.
package enum WebClient {
  /// `/uifusion.js`: one module, which `make client` builds from those in `Core` and `Bindings`.
  package static let module = PackageResources.uifusion_js
  /// `/uifusion-more.js`: built from those in `More`, for features that only some pages need, or that are not
  /// needed at once.
  package static let moreModule = PackageResources.uifusion_more_js
  /// `/uifusion-login.js`: built from those in `Login`, for a page whose login has ended.
  package static let loginModule = PackageResources.uifusion_login_js
  /// The digest of the first two modules, with which ``module`` requests ``moreModule``.
  package static let build = String(decoding: moreModule[3..<15], as: UTF8.self)
  /// `/uifusion-gestures.js`: built from those in `Gestures`, for pages that name it.
  package static let gesturesModule = PackageResources.uifusion_gestures_js
  /// The marks of a page that needs ``moreModule`` together with ``module``, as in `Bindings/marks.js`.
  package static let marksOfMore = [
    "data-": [
      "address", "confirm", "drag", "drop", "error", "focus", "include", "keys", "local", "open",
      "pulse", "scope", "sort", "transition",
    ],
    "| ": ["currency", "date", "datetime", "list", "number", "percent", "relative", "time"],
    " type=\"": ["date", "datetime-local", "month", "time"],
  ]
  /// The page of a view model's console, with `{{…}}` as placeholders, and its module, built from those in
  /// `Console`.
  package static let consolePage = PackageResources.console_html
  package static let consoleModule = PackageResources.console_js
  package static let consoleStyle = PackageResources.console_css
  /// `/uifusion.d.ts`.
  package static let declarations = PackageResources.uifusion_d_ts
}
