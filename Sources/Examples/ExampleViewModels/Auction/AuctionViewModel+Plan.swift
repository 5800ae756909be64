import FoundationEssentials
package import UIFusionKit

extension AuctionViewModel: Planned {
  package static let plan: [PlannedInput<AuctionViewModel>] = [
    .input(
      .offer(lot: "램프"),
      "출품: 알람이 1분 뒤로 설정됩니다.",
      [
        .action(
          .offer(lot: "램프", until: Date(timeIntervalSince1970: 60)),
          ["lot": "새 물건으로 설정됩니다.", "closes": "1분 뒤로 설정됩니다."]
        )
      ]
    ),
    .input(
      .bid(amount: 5, name: "에이다"),
      "입찰: 더 높은 금액만 받습니다.",
      after: [.offer(lot: "램프")],
      delay: .seconds(3),
      [
        .action(
          .bid(amount: 5, name: "에이다"),
          ["bids": "입찰이 추가됩니다.", "count": "1 증가합니다."]
        )
      ]
    ),
    .input(
      .bidUp(to: 9, name: "에이다"),
      "자동 입찰: 책상이 보내는 메시지에만 반응합니다.",
      [.action(.bidUp(to: 9, name: "에이다"))]
    ),
  ]
}

extension AuctionDeskViewModel: Planned {
  package static let plan: [PlannedInput<AuctionDeskViewModel>] = [
    .input(
      .call("에이다"),
      "이름 입력: 다음 입찰부터 다른 사람들에게 보입니다.",
      [.action(.call("에이다"), ["name": "새 이름으로 설정됩니다."])]
    ),
    .input(
      .raise(by: 1),
      "입찰: 경매에 메시지를 보냅니다.",
      [.action(.raise(by: 1))]
    ),
    .input(
      .bidUp(to: 50),
      "자동 입찰: 페이지를 닫아도 한도까지 입찰합니다.",
      [.action(.bidUp(to: 50), ["limit": "한도로 설정됩니다."])]
    ),
    .input(
      .placed(bid: 1),
      "경매의 응답: 입찰이 받아들여졌습니다.",
      [.action(.placed(bid: 1))]
    ),
    .input(
      .refused("5 이상을 입찰하세요."),
      "경매의 응답: 입찰이 거절되었습니다.",
      [.action(.refused("5 이상을 입찰하세요."), ["notice": "이유가 표시됩니다."])]
    ),
  ]
}
