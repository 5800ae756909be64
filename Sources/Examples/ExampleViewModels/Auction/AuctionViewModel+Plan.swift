import FoundationEssentials
package import UIFusionKit

private let start = Date(timeIntervalSince1970: 0)

extension AuctionViewModel: Planned {
  package static let plan: [PlannedInput<AuctionViewModel>] = [
    .input(
      .offer(lot: "램프"),
      "출품: 알람이 1분 뒤로 설정됩니다. 1분 뒤 가장 높은 입찰자에게 팔립니다.",
      [.action(.offer(lot: "램프", id: 0, seconds: 60), ["sale": "새 경매가 시작됩니다."])]
    ),
    .input(
      .bid(amount: 5, name: "에이다"),
      "입찰: 더 높은 금액만 받습니다.",
      after: [.offer(lot: "램프")],
      delay: .seconds(3),
      [
        .action(
          .bid(amount: 5, name: "에이다", at: Date(timeIntervalSince1970: 3)),
          ["sale": "입찰이 추가됩니다.", "count": "1 증가합니다."]
        )
      ]
    ),
    .input(
      .setMaximum(9, name: "에이다", sale: 0),
      "최고 입찰가: 책상이 보내는 메시지에만 반응합니다.",
      [.action(.setMaximum(9, name: "에이다", at: start))]
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
      .raise(by: 1, above: 4, sale: 0),
      "입찰: 경매에 메시지를 보냅니다.",
      [.action(.raise(by: 1, above: 4, sale: 0))]
    ),
    .input(
      .setMaximum(50, sale: 0),
      "최고 입찰가: 경매에 메시지를 보냅니다. 페이지를 닫아도 경매가 대신 입찰합니다.",
      [.action(.setMaximum(50, sale: 0))]
    ),
    .input(
      .placed(bid: 1, sale: 0),
      "경매의 응답: 입찰이 받아들여졌습니다.",
      [.action(.placed(bid: 1, sale: 0))]
    ),
    .input(
      .maximumSet(50, sale: 0),
      "경매의 응답: 최고 입찰가가 설정되었습니다.",
      [.action(.maximumSet(50, sale: 0))]
    ),
  ]
}
