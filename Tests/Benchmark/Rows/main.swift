import UIFusionServer
import UIFusionTools

var catalog = ViewModelCatalog()
catalog.host("rows", summary: "Rows by the thousand, for the benchmark of pages") { _ in
  RowsViewModel()
}
for count in [10, 100, 1_000, 10_000] {
  catalog.host("rows-\(count)", summary: "\(count) rows") { _ in
    ManyRows(count, isWaiting: false)
  }
  catalog.host("waiting-\(count)", summary: "\(count) rows with an effect each") { _ in
    ManyRows(count, isWaiting: true)
  }
}
await UIFusionCommand.main(catalog, tools: .all)
