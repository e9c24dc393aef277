// What a server's words say of a failure. Servers have no codes in common, and Claude has none for a prompt that
// is too long, so the words are often the only sign.

const TOO_LONG = anyOf(
  /(prompt|input|request|messages?|conversation)( length)?[ _](is )?too[ _](long|large)/,
  /(entity|payload|content) too large|request_too_large/,
  /context.?(length|window|size|limit)|maximum (context|(prompt|input) length)|combined length of input/,
  /exceed(s|ed)? (the )?(context|limit of|model)|maximum number of (input )?tokens/,
  /exceeds? (the )?(input |prompt )?token limit/,
  /too many (prompt |input )?tokens|(prompt|input) tokens (limit )?exceed|max_prompt_tokens/,
  /(reduce the|range of input) length/,
  // LM Studio's words, as it spells them.
  /context the overflows|\bn_keep\b/,
  // Servers in China: what is too long, or what it exceeds.
  /(上下文|[输輸]入|提示|prompt).{0,20}(超|[过過太][长長])|超.{0,20}(上下文|[长長]度)/,
);

const RATE = anyOf(
  /rate.?limit|too many requests|quota|\b[tr]p[md]\b/,
  /\b(per|each)[ -](second|min(ute)?|hour|day)\b|wait before trying/,
  /[频頻](率|繁)|限流|每(分|秒|小时|小時|天|日)/,
);

const UNPAID = anyOf(
  /credit balance|insufficient[ _](balance|funds|credits?|quota)|out of credits?/,
  /payment required|billing (details|hard limit)|check your plan|[余餘][额額]不足|欠[费費]/,
);

/** What a TLS connection fails of, in the words of OpenSSL, Node and Chromium. */
const INSECURE = anyOf(
  /certificate|self.signed|ssl routines|wrong version number/,
  /\b(CERT|ERR_TLS|ERR_SSL|ERR_CERT|EPROTO|UNABLE_TO_(GET|VERIFY))/,
);

/** That thinking which is sent back is not, or not any more, what the API has signed. */
const STALE_THINKING = anyOf(
  /thinking`? blocks?\b.{0,80}(cannot be modified|bound to|must (remain|contain))/,
  /invalid.{0,3}signature.{0,20}thinking/,
);

/** That the server cannot take an image, whichever. */
const IMAGE = anyOf(/\bimages?\b|image_url|multi.?modal|mmproj/);

/** A rate counts first: "too many tokens per minute" is no size. */
export function saysTooLong(text: string): boolean {
  return TOO_LONG.test(text) && !saysRate(text);
}

export function saysRate(text: string): boolean {
  return RATE.test(text);
}

/** Waiting does not help, money does. */
export function saysUnpaid(text: string): boolean {
  return UNPAID.test(text);
}

export function saysInsecure(text: string): boolean {
  return INSECURE.test(text);
}

export function saysImage(text: string): boolean {
  return IMAGE.test(text);
}

export function saysStaleThinking(text: string): boolean {
  return STALE_THINKING.test(text);
}

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i');
}
