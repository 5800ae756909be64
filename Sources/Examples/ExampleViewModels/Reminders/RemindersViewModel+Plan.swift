import FoundationEssentials
package import UIFusionKit

extension RemindersViewModel: Planned {
  package static let plan: [PlannedInput<RemindersViewModel>] = [
    .input(
      .remind(text: "우유", due: Date(timeIntervalSince1970: 3600)),
      "알림 추가: 알람이 그 시각으로 설정되고, 시각이 없으면 24시간 뒤로 설정됩니다.",
      [
        .action(
          .remind(text: "우유", due: Date(timeIntervalSince1970: 3600)),
          ["reminders": "알림이 추가됩니다.", "count": "1 증가합니다."]
        )
      ]
    ),
    .input(
      .tomorrow(text: "우유"),
      "내일 알림 추가: 알람이 24시간 뒤로 설정됩니다.",
      [
        .action(
          .remind(text: "우유", due: Date(timeIntervalSince1970: 86_400)),
          ["reminders": "알림이 추가됩니다.", "count": "1 증가합니다."]
        )
      ]
    ),
    .input(
      .soon(text: "차"),
      "10초 뒤 알림 추가",
      [
        .action(
          .remind(text: "차", due: Date(timeIntervalSince1970: 10)),
          ["reminders": "알림이 추가됩니다.", "count": "1 증가합니다."]
        ),
        .action(.ring(id: 1), ["reminders": "10초 뒤 isDue가 true로 설정됩니다."]),
      ]
    ),
    .input(
      .dismiss(id: 1),
      "알림 삭제: 알람도 취소됩니다.",
      after: [.soon(text: "차")],
      delay: .seconds(3),
      [.action(.dismiss(id: 1), ["reminders": "알림이 삭제됩니다."])]
    ),
    .input(
      .pass(id: 1, to: "다른 세션"),
      "다른 세션에 알림 전달: 알람은 취소되고, 거절되면 돌아옵니다.",
      after: [.tomorrow(text: "우유")],
      [
        .action(
          .pass(id: 1, to: "다른 세션", back: Date(timeIntervalSince1970: 10)),
          ["reminders": "알림이 삭제됩니다."]
        )
      ]
    ),
  ]
}
