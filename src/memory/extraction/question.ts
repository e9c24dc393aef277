// Whether a quote only asks: "should we use tabs?" says nothing of what the person wants. A request in the form of a
// question ("could you use tabs?") and a complaint ("why do you use tabs?") say it.

import { foldSentence } from '../fieldText.ts';
import { sentencesOf } from '../words/sentences.ts';

/** Whether wherever the quote stands in the messages, it is part of a question. */
export function onlyAsks(quote: string, messages: readonly string[]): boolean {
  const words = foldSentence(quote);
  const sentences = messages
    .flatMap(sentencesOf)
    .map((sentence) => ({ sentence, folded: foldSentence(sentence) }))
    .filter(({ folded }) => folded.includes(words));
  return (
    sentences.length > 0 &&
    sentences.every(({ sentence, folded }) => ENDS_ASKING.test(sentence) && isQuestion(folded))
  );
}

function isQuestion(sentence: string): boolean {
  return !SEEKS_ASSENT.test(sentence) && QUESTIONS.some((pattern) => pattern.test(sentence));
}

/** Said, with a word behind it that asks whether it was understood. */
const SEEKS_ASSENT =
  /, ?(?:ok|okay|right|alright|all right|yes|please|thanks|ja|vale|d'accord|hm)(?: ?\?)?$/u;

const ENDS_ASKING = /[?？][\s"'”’)]*$/u;

const QUESTIONS: readonly RegExp[] = [
  /^(?:(?:and|so|but|ok|okay|hey|hi|wait|btw|by the way),? )*(?:what(?! about)|what's|which|where|who|whose|when|how(?! about| many times| often)|should (?:we|i)|shall|is(?! it (?:ok|okay|fine|possible))|are|was|were|does|did|do (?:we|they|i|you (?!mind)))(?!\p{L})/u,
  /^(?:und |aber |ok,? )*(?:was|welche[rsnm]?|wo|wohin|wer|wann|wie(?! oft)|wieviel|sollen wir|sollten wir|soll ich|ist|sind|haben wir)(?!\p{L})/u,
  /^(?:et |mais |ok,? )*(?:qu['’]est|quel(?:le)?s?|où|qui|quand|comment|faut-il|devrait-on)(?!\p{L})/u,
  /^(?:¿ ?)?(?:y |pero )?¿?(?:qué(?! tal si)|cuál(?:es)?|dónde|quién|cuándo|cómo|deberíamos)(?!\p{L})/u,
  /(?<!为|為)(?:什么|什麼)|哪[个個里裡些种種]|在哪|谁|誰|如何|怎么(?:做|用|办|部署|写|样)|怎麼(?:做|用|辦|部署|寫|樣)|是不是|要不要|该不该|該不該/u,
  /何(?:です|を|が|の|で)|どこ|どれ|どの|どちら|いつ(?!も)|どう(?!して)|誰/u,
  /무엇|뭐|뭔|어디|어느|누구|언제|어떻게/u,
];
