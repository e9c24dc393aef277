// Whether words hold anything that could be remembered. "Continue" and "OK, go on" do not: no model need be asked about
// them, and no memory rests on them.

const IDLE = new Set(
  `ok okay k yes yeah yep y no nope n sure right fine good great nice cool perfect thanks thank thx ty you please pls
  go on ahead continue proceed next keep going do it that this now try retry again once more
  继续 繼續 接着 请继续 請繼續 继续吧 好 好的 好吧 可以 行 是 是的 对 對 对的 不 不是 不用 嗯 谢谢 謝謝 没问题 沒問題 就这样 就這樣 没错 沒錯 重试 重試 再试一次 再試一次
  続けて 続けてください はい いいえ お願いします ありがとう ありがとうございます 了解 了解です 了解しました わかりました 大丈夫です いいです いいですね そうして そうしてください もう一度
  계속 계속해 계속해줘 계속해주세요 계속하세요 네 예 아니요 응 좋아 좋아요 고마워 감사합니다 알겠습니다 알겠어요 그래 그렇게 해 해줘 해주세요 다시
  sí si vale bien continúa continua sigue adelante hazlo claro perfecto correcto gracias por favor otra vez
  oui non continuez merci encore vas y d accord s il te vous plaît parfait fais le
  ja nein weiter bitte danke gut mach nochmal noch mal genau gerne klar alles los leg passt prima`
    .normalize('NFKC')
    .split(/\s+/),
);

export function isIdle(text: string): boolean {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.every((word) => IDLE.has(word) || !/\p{L}/u.test(word));
}
