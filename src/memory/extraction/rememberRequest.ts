// Tells whether a person asks to have something remembered. A question about what is remembered is no such request,
// and neither is "remember to run the tests", which is part of a task.

import { fold, foldSentence } from '../fieldText.ts';
import { ownWords } from './ownWords.ts';
import { isOfThisTalk } from './temporary.ts';

/** The first words that are to be remembered; undefined when there are none. */
export function wordsToRemember(text: string): string | undefined {
  return requestsToRemember(text)[0];
}

/**
 * The words that are to be remembered, as the person wrote them: each sentence that asks for it, or the whole text
 * where that sentence says nothing by itself. What is for this conversation alone is none of them.
 */
export function requestsToRemember(text: string): readonly string[] {
  const requests = sentences(text).filter(({ folded }) => isRequest(folded));
  return [...new Set(requests.map(({ said }) => (isTelling(said) ? said : text.trim())))];
}

/** Whether a quote stands in what a person asks to have remembered in their own words, or holds it. */
export function isAskedFor(quote: string, said: readonly string[]): boolean {
  return said
    .flatMap(ownWords)
    .flatMap(requestsToRemember)
    .some((words) => areOfOne(words, quote));
}

/** Whether one of the two stands in the other. */
export function areOfOne(words: string, quote: string): boolean {
  const [asked, quoted] = [foldSentence(words), foldSentence(quote)];
  return quoted !== '' && (asked.includes(quoted) || quoted.includes(asked));
}

function isTelling(sentence: string): boolean {
  const isAscii = Buffer.byteLength(sentence) === sentence.length;
  return sentence.length >= (isAscii ? LEAST_CHARS : LEAST_WIDE_CHARS);
}

/** Shorter sentences are like "Remember that, please." */
const LEAST_CHARS = 26;
/** Chinese says as much in half as many. */
const LEAST_WIDE_CHARS = 12;

function isRequest(sentence: string): boolean {
  return (
    REQUESTS.some((pattern) => pattern.test(sentence)) &&
    !NO_REQUESTS.some((pattern) => pattern.test(sentence)) &&
    !isOfThisTalk(sentence)
  );
}

/** What opens a request in front of its verb. */
const OPENING =
  "(?:(?:please|pls|also|and|so|then|now|ok|okay|hey|first|just|always|kindly|(?:can|could|will|would) you|i(?: would|['’]d)? (?:want|need|like) you to),? )*";
/** What is remembered, not what is done. */
const SUBJECT =
  "(?:that|this|it|these|those|my|our|i|i['’]m|i['’]ve|we|we['’]re|you should|to (?:always|never)|always|never|for (?:later|next time|the future)|the following)";

const REQUESTS: readonly RegExp[] = [
  // Short, or with what is to be remembered behind it.
  new RegExp(
    `^${OPENING}(?:remember|memori[sz]e)(?:[:,]|(?: ${SUBJECT})(?![\\p{L}\\p{N}])|\\s*[!.]?$|(?! (?:to|when|how|what|why|where|who|if|whether) ) .+ (?:is|are|must|should|prefers?|needs?|uses?|has|have|goes?) )`,
    'u',
  ),
  new RegExp(`^${OPENING}(?:don['’]t|do not|never) forget(?: that|[:,]| (?:i|we|my|our)) `),
  new RegExp(
    `^${OPENING}(?:save|store|add|put|commit|write|keep) (?:this|that|it|the following)? ?(?:in|to|into) (?:your |the |long-term )*memory(?![\\p{L}-])`,
    'u',
  ),
  new RegExp(`^${OPENING}(?:make|take) (?:yourself )?a (?:mental )?note(?: that| of|:)`),
  new RegExp(
    `^${OPENING}(?:bear|keep)(?: (?:this|that|it))? in mind for (?:later|next time|the future)`,
  ),
  /(?:and|but|so|please|,) remember (?:that|this|it)(?![\p{L}\p{N}])/u,

  /^(?:(?:请|請|麻烦|麻煩|帮我|幫我|给我|給我|那|那么|那麼|还有|還有|另外|以后|以後|你|你要|您|务必|務必|一定要|要|并|並|都|好好|先)[,、 ]?)*(?:记住|記住|牢记|牢記|谨记|謹記|记下来|記下來|记下|記下|记一下|記一下)/,
  /(?:请|請|帮我|幫我|务必|務必|一定要)(?:你|您)?(?:记住|記住|牢记|牢記|记下|記下|记一下|記一下)/,
  /^(?:请|請|要|你要)?(?:记得|記得)[:,]?(?:我(?!们?(?:说|說|让|讓|要你))|这|這|以后|以後|今后|今後|每次|永远|永遠)/,
  /(?:别|別|不要)忘(?:了|记|記)[:,]?(?:我|这|這|以后|以後)/,
  /(?:存入|保存到|存到|写入|寫入|加入|记入|記入|加到)(?:你的|您的|长期|長期)*(?:记忆|記憶)/,

  /(?:覚えて|憶えて|おぼえて|記憶して|記憶に残して)(?:おいて|おけ|おくように|おくこと|ください|下さい|くれ|ほしい|欲しい|ね?[!。]?$)/,
  /(?<!(?:の|こと)[をは])忘れないで(?:ください|下さい|ね|おいて|:|[!。]?$)/,

  /기억해 ?(?:줘|주세요|주십시오|주길|둬|두세요|두렴|놔|달라|라(?![가-힣])|요?[!.]?$)/,
  /기억하(?:세요|십시오|도록 해|고 있어 ?(?:줘|주세요))/,
  /(?<!(?:는|은|던) ?(?:거|것|걸|것을|것도) ?)잊지 ?(?:마|말아)/,

  /(?<![\p{L}\p{N}])(?:recuerda|recuerde|recordad|memoriza|memorice|anota|apunta)(?:[:,]| (?:que|esto|eso|lo siguiente|siempre|mi|mis|para))(?![\p{L}\p{N}])/u,
  /(?<![\p{L}\p{N}])acu[eé]rdate de(?: que|:| esto| mi)/u,
  /(?<![\p{L}\p{N}])(?:no olvides|no te olvides de) (?:que|esto|mi)(?![\p{L}\p{N}])/u,
  /(?<![\p{L}\p{N}])(?:guarda|guárdalo|guarde)(?: (?:esto|eso|lo siguiente))? en (?:la |tu |su )?memoria(?![\p{L}\p{N}])/u,

  /(?<![\p{L}\p{N}])(?:souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous)(?:[:,]| :| (?:que|bien|toujours|de (?:ceci|cela|ça|mon|ma|mes))(?![\p{L}\p{N}])| qu['’])/u,
  /(?<![\p{L}\p{N}])(?:retiens|retenez|mémorise|mémorisez|note|notez)(?: bien)?(?:[:,]| :| (?:que|ceci|cela|ça)(?![\p{L}\p{N}])| qu['’])/u,
  /(?<![\p{L}\p{N}])(?:n['’]oublie pas|n['’]oubliez pas)(?: que(?![\p{L}\p{N}])| qu['’]|[:,]| :)/u,
  /(?<![\p{L}\p{N}])(?:garde|gardez|enregistre|enregistrez)[^.!?]{0,40} en (?:mémoire|tête)(?![\p{L}\p{N}])/u,

  /(?<![\p{L}\p{N}])(?:merk|merke) (?:dir|es dir)(?![\p{L}\p{N}])/u,
  /(?<![\p{L}\p{N}])(?:merken sie sich|bitte merken|(?:kannst|könntest|würdest) du dir (?:bitte )?(?:[^?]{0,60} )?merken)(?![\p{L}\p{N}])/u,
  /(?<![\p{L}\p{N}])(?:behalte|behalten sie)[^.!?]{0,60}(?:im kopf|im gedächtnis|in erinnerung)(?![\p{L}\p{N}])/u,
  /(?<![\p{L}\p{N}])(?:vergiss|vergessen sie|denk|denke|denken sie|erinnere dich)(?: nicht| daran|bitte)*, dass(?![\p{L}\p{N}])/u,
];

/** Asked about, spoken of, or the name of a feature. */
const NO_REQUESTS: readonly RegExp[] = [
  /(?:^|[\s,])(?:do|did|does|if|can['’]t|cannot|don['’]t|didn['’]t|(?<!you )to|that|who|i|we|they|users?) remember(?![\p{L}\p{N}])(?!.*please)/u,
  /remember(?:ed)?[- ]me(?![\p{L}\p{N}])/u,
  /remember (?:that|this|it|the|our|my|when|how|what|why|where|who|if|whether) [^?]*\?$(?<!(?:can|could|will|would) you .*)/u,
  /(?:(?:记住|記住|记下|記下|记得|記得).*(?:吗|嗎|没有|沒有|了没|了沒)|(?:还|還|能|是否|有没有|有沒有|是不是|都)(?:记得|記得)|(?:记得|記得)(?:我|我们|我們)?.*[?]$)/,
  /(?:记住|記住)(?:我|密码|密碼|登录|登錄|用户名|用戶名|选择|選擇|状态|狀態)*(?:的)?(?:功能|选项|選項|复选框|核取方塊|按钮|按鈕|开关|開關)/,
  /覚えて(?:い?る|い?ます|い?た)(?:か|の|っけ|\?|$)/,
  /(?:recuerdas|te acuerdas|te souviens-tu|tu te souviens|erinnerst du|weißt du noch)(?![\p{L}\p{N}])/u,
];

/** Quoted words and code are only mentioned. */
const MENTIONED =
  /```[^]*?(?:```|$)|`[^`\n]*`|"[^"\n]*"|“[^“”\n]*”|「[^「」\n]*」|『[^『』\n]*』|«[^«»\n]*»|„[^„“”\n]*[“”]/gu;

/** Ended by its mark or by the line. A full stop within a word ends nothing. Matched, since where it stands counts. */
const SENTENCE = /[^\n]+?(?:[.!?;](?=\s)|[。！？；…]|$)/gmu;
/** What is longer was pasted. */
const SENTENCE_CHARS = 400;
/** Stands for what is only mentioned, character by character. */
const BLANK = '\ufffc';

function sentences(text: string): readonly { readonly said: string; readonly folded: string }[] {
  const plain = text.replaceAll(MENTIONED, (mentioned) => BLANK.repeat(mentioned.length));
  return Array.from(plain.matchAll(SENTENCE), ({ 0: sentence, index }) => ({
    said: text.slice(index, index + sentence.length).trim(),
    folded: fold(sentence.slice(0, SENTENCE_CHARS)).replace(/^(?:[-*>#]|\d+[.)])+\s*/u, ''),
  }));
}
