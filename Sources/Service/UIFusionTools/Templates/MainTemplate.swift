extension PackageTemplate {
  /// `Sources/NAME/main.swift`.
  var main: String {
    """
    import UIFusionKit
    import UIFusionServer
    import UIFusionTools

    var catalog = ViewModelCatalog()
    catalog.host("\(name)", summary: "Counts") { \(name.viewModel)(time: $0.time) }
    await UIFusionCommand.main(catalog, tools: .all)

    """
  }
}
