import UIFusionServer

var catalog = ViewModelCatalog()
catalog.host("rows", summary: "Rows by the thousand, for the benchmark of pages") { _ in
  RowsViewModel()
}
await UIFusionCommand.main(catalog)
