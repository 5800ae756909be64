import UIFusionServer
import UIFusionTools

var routes = Routes()
addCrash(to: &routes)
await UIFusionCommand.main(examples, routes: routes, tools: .all)
