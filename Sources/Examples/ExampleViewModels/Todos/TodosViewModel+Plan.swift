package import UIFusionKit

extension TodosViewModel: Planned {
  /// The seed of the plan's ids, to be used by its checks, too.
  package static let planSeed: UInt64 = 1

  private static let ids = {
    let random = RandomSource(seed: planSeed)
    return [random.uuid()]
  }()

  package static let plan: [PlannedInput<TodosViewModel>] = [
    .input(
      .add(title: "우유 사기"),
      "할 일 추가",
      [
        .action(
          .add(Todo(id: ids[0], title: "우유 사기")),
          [
            "todos": "새 id를 가진 할 일이 끝에 추가됩니다.",
            "remaining": "값이 1 증가합니다.",
          ]
        )
      ]
    ),
    .input(
      .toggle(id: ids[0]),
      "할 일 완료 (id는 State의 todos에 있습니다)",
      after: [.add(title: "우유 사기"), .add(title: "빵 사기")],
      [
        .action(
          .toggle(id: ids[0]),
          [
            "todos": "isDone이 true로 설정됩니다.",
            "remaining": "값이 1 감소합니다.",
          ]
        ),
        .action(.sort, ["todos": "마지막 toggle에서 1초 뒤에 완료한 것이 끝으로 내려갑니다."]),
      ]
    ),
    .input(
      .toggle(id: ids[0]),
      "1초 안에 완료 취소",
      after: [.add(title: "우유 사기"), .add(title: "빵 사기"), .toggle(id: ids[0])],
      delay: .milliseconds(500),
      [
        .action(
          .toggle(id: ids[0]),
          [
            "todos": "isDone이 false로 설정됩니다.",
            "remaining": "값이 1 증가합니다.",
          ]
        ),
        .action(.sort),
      ]
    ),
    .input(
      .toggle(id: ids[0]),
      "없는 id로 할 일 완료: 무시됩니다.",
      [.action(.toggle(id: ids[0]))]
    ),
    .input(
      .rename(id: ids[0], title: "두유 사기"),
      "제목 수정 (id는 State의 todos에 있습니다)",
      after: [.add(title: "우유 사기")],
      [
        .action(
          .rename(id: ids[0], title: "두유 사기"),
          ["todos": "그 할 일의 title이 바뀝니다."]
        )
      ]
    ),
    .input(
      .delete(id: ids[0]),
      "할 일 삭제 (id는 State의 todos에 있습니다)",
      after: [.add(title: "우유 사기")],
      [
        .action(
          .delete(id: ids[0]),
          [
            "todos": "그 할 일이 없어집니다.",
            "remaining": "완료하지 않은 것이면 1 감소합니다.",
          ]
        )
      ]
    ),
    .input(
      .clearCompleted,
      "완료한 할 일 모두 삭제",
      after: [.add(title: "우유 사기"), .toggle(id: ids[0])],
      [.action(.clearCompleted, ["todos": "완료한 할 일이 모두 없어집니다."])]
    ),
    .input(
      .setFilter(.active),
      "필터 선택",
      [.action(.setFilter(.active), ["filter": "선택한 필터로 바뀝니다. todos는 그대로입니다."])]
    ),
    .input(
      .setAll(isDone: true),
      "모두 완료",
      after: [.add(title: "우유 사기")],
      [
        .action(
          .setAll(isDone: true),
          ["todos": "모든 할 일의 isDone이 true로 설정됩니다.", "remaining": "값이 0이 됩니다."]
        )
      ]
    ),
    .input(
      .edit(id: ids[0], title: " 두유 사기 "),
      "제목 편집 마침: 앞뒤 공백은 없어집니다.",
      after: [.add(title: "우유 사기")],
      [
        .action(
          .rename(id: ids[0], title: "두유 사기"),
          ["todos": "그 할 일의 title이 바뀝니다."]
        )
      ]
    ),
    .input(
      .edit(id: ids[0], title: " "),
      "제목을 비우고 편집 마침: 할 일이 삭제됩니다.",
      after: [.add(title: "우유 사기")],
      [
        .action(
          .delete(id: ids[0]),
          ["todos": "그 할 일이 없어집니다.", "remaining": "완료하지 않은 것이면 1 감소합니다."]
        )
      ]
    ),
  ]
}
