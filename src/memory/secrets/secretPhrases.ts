// The words by which a password or token is told, in the languages that people write their notes in, and what of
// that which follows looks like one. Every repetition is bounded, so that no long text takes long.

export type Parts = Readonly<Record<string, string | undefined>>;

/** Kinds of characters in which passwords are talked about and not written. */
const CJK = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}`;
/** A character of a value without marks around it, up to the next field of a query or the end of an element. */
const BARE = String.raw`(?:(?!<\/|&[\w.-]{1,40}=)[^\s"'\x60,;，。、${CJK}])`;
const QUOTE = String.raw`\\?["'\x60]`;

/** In quotation marks up to the last of them, spaces and all; else a word. */
const VALUE = String.raw`(?:(?<quote>${QUOTE}|\*\*)(?<quoted>(?:(?!\k<quote>)[^\n${CJK}]){4,200})\k<quote>|(?<open>${QUOTE})?(?<value>${BARE}{4,200}))`;

const PASSWORD = String.raw`password|passwd|passphrase|pgpass|passwort|kennwort|contraseña|mot de passe|senha|palavra-passe|парол[ья]|密码|密碼|口令|パスワード|비밀번호`;
const SHORT = String.raw`(?<![a-z])(?:pwd|pw|pass|secret|token)|(?:db|user|admin|root|smtp)[ _-]?(?:pass|pwd)|(?:client|app|consumer|webhook|signing|shared|jwt|session)[ _-]?secret`;
const FOREIGN_KEY = String.raw`(?:api|zugriffs|zugangs)[ -]?schlüssel|(?:clave|llave|chave) (?:(?:de (?:la )?|da )?api|de acces?so)|clé (?:d['’])?(?:api|accès)`;
const TOKEN = String.raw`(?:auth|access|refresh|bearer|bot|api|app|session|id)[ _-]?token|(?:api|access|secret|signing|encryption|master|subscription|account)[ _-]?key|${FOREIGN_KEY}|トークン|토큰|令牌|密[钥鑰]`;

/** Whose it is, on the same line or the one above. */
const OWNER = String.raw`(?:(?<owner>(?<=(?<![\p{L}])(?:user(?:name)?|log-?in|account|admin|root|wi-?fi|wlan|ssh|db|database)(?!\p{L})(?:[^\n]{0,60}|[^\n]{0,60}\n[^\n]{0,20})))|)`;

/** What the secret is for, between the word for it and the sign. */
const PURPOSE = String.raw`\s{1,9}(?:for|of|on|to|für|de|del|da|do|para|pour|для|от)(?:\s{1,9}[\p{L}\p{N}_.-]{1,60}){1,6}?`;
/** `name="DB_PASSWORD" value="…"`, and the same in YAML. */
const APART = String.raw`["'\x60]?,?\s{1,40}["'\x60]?value`;
const SIGN = String.raw`(?<sign>:=|=>|[=:—是为為は는은]|(?<=\s)\|(?=\s)|(?<=[\s"'\x60])(?:is|ist|lautet|es|est|é)(?![\p{L}\p{N}])(?:\s{0,3}:)?)`;

/** To the next line with something on it: past a comment, a mark of YAML, of a list, a quotation or a fence. */
const DOWN = String.raw`(?<below>[^\S\n]{0,5}(?:[|>][+-]?[^\S\n]{0,5})?(?:#[^\n]{0,80})?(?:\n[^\S\n]{0,40}){1,3}(?:[-*+>][^\S\n]{1,4}|\x60{3}[\w-]{0,20}[^\S\n]{0,3}\n[^\S\n]{0,40})?)`;
const ALONE = String.raw`${VALUE}(?=[^\S\n]{0,20}(?:\n|(?![^])))`;
/** The heading or the line that ends with the next word. No item of a list: what is behind is the next item. */
const LINE = String.raw`(?<![^\n])[^\S\n]{0,20}(?:#{1,6}[^\S\n]{1,4})?(?:\*\*|__)?(?:[\p{L}\p{N}][\p{L}\p{N}.-]{0,30}[^\S\n]{1,3}){0,4}?`;

/** The words by which a password or token is told; the group `quoted` or `value` is what looks like one. */
export const PHRASES: readonly RegExp[] = [
  // A word for a secret, a sign, a value.
  String.raw`(?<word>${TOKEN}|${SHORT}|${PASSWORD})(?:${PURPOSE}|${APART})?\\?(?:["'\x60]\]|["'\x60*_]{0,3})\s{0,20}${SIGN}(?:(?:\*\*|__)(?=\s))?\s{0,20}${OWNER}${VALUE}`,
  // The same, with the value alone on the line below, or the word alone above it.
  String.raw`(?<word>${TOKEN}|${SHORT}|${PASSWORD})(?:${PURPOSE})?["'\x60*_]{0,3}\s{0,3}${SIGN}(?:\*\*|__)?${DOWN}${ALONE}`,
  String.raw`${LINE}(?<word>${TOKEN}|token|secret|${PASSWORD})(?:\*\*|__)?${DOWN}${ALONE}`,
  // A password with its value behind it and nothing between.
  String.raw`(?:(?<!\p{L})(?:${PASSWORD}))[^\S\n]{1,20}${VALUE}`,
  // A key the same, when it is as long as only keys are.
  String.raw`(?<!\p{L})(?:${TOKEN})[^\S\n]{1,20}(?<value>(?=[a-z]{0,40}\d)(?=\d{0,40}[a-z])[a-z\d]{20,})(?![\w-])`,
  // A user and the password behind a slash.
  String.raw`\b(?:log-?in|credentials|zugangsdaten)\s{0,9}(?:is|are|ist|sind|:|=)?\s{1,20}[\w.@+-]{1,60}\s{0,9}\/\s{0,9}${VALUE}`,
  // As `curl` and its like take them.
  String.raw`\s(?:-u|--user)[ =]["']?[\w.@+-]{1,60}:(?<value>${BARE}{4,200})`,
  String.raw`(?<word>${PASSWORD}|secret|token|api-?key)(?<sign>>)(?<value>[^<>\s]{4,200})(?=<\/)`,
].map((pattern) => new RegExp(pattern, 'dgiu'));

/** What belongs to a value that is longer than a pattern reads. */
export const REST_OF_VALUE = new RegExp(`${BARE}*`, 'uy');

/** What belongs at the end of a value to the sentence or the mark-up around it. */
export const MARKS_BEHIND = '.:)]}|*\\';

/** Whether the value that a phrase tells is a secret and not where it is, how it is kept, or what to type there. */
export function looksSecret(text: string, parts: Parts): boolean {
  const { word = '', sign, quote, open, below } = parts;
  const value = text.replace(/[.!?:)\]}|*\\]+$/, '');
  if (value.length < 6 || NO_VALUE.some((pattern) => pattern.test(value))) return false;
  const isQuoted = quote !== undefined || open !== undefined;
  // The next key of a nested mapping stands where the value would.
  if (!isQuoted && text.endsWith(':')) return false;
  if (/[/\\]/.test(value)) return sign !== undefined && isRandom(value);
  if (below !== undefined) return isAlone(value, parts);
  if (/\s/.test(value)) return sign !== undefined && !LABEL.test(value);
  // Quoted between bars is a choice of types, not a row of a table.
  if (isQuoted && sign === '|') return false;
  if (isMixed(value)) return !isNameOf(value, parts);
  if (sign === undefined) return false;
  // `token = lexer` is code, and no real token is a mere word.
  if (TOKEN_WORD.test(word)) return isQuoted && value.length >= 16;
  // `password=hunter` assigns; `password: see 1Password` only tells.
  return isQuoted || /[=>]$/.test(sign);
}

/** Whether the only thing on a line below the word is a secret: less tells that than on the same line. */
function isAlone(value: string, parts: Parts): boolean {
  if (/\s/.test(value) || !isMixed(value) || isNameOf(value, parts)) return false;
  if (parts.sign !== undefined) return true;
  // Below a heading or in a column of fields.
  const isPassword = new RegExp(`^(?:${PASSWORD})$`, 'iu').test(parts.word ?? '');
  return !ADDRESS.test(value) && namesIn(value).length < (isPassword ? 2 : 1);
}

/** Whether it is the name of something in code or in a chart, which the word for a secret stands in front of too. */
function isNameOf(value: string, { word = '', sign = '', owner }: Parts): boolean {
  const { length } = namesIn(value);
  // Nobody's token is `lexer2` or `csrf_token_v2`; a password may well be `hunter2` or `correct-horse-2`.
  if (TOKEN_WORD.test(word)) return length > 1 || (length === 1 && /\D\d$/.test(value));
  if (/^secret$/i.test(word)) return length > 1 && !/[=>]$/.test(sign);
  return SHORT_WORD.test(word) && owner === undefined && length > 1 && value.includes('_');
}

/** The words that a name is made of, each with a figure of two digits behind it at most; none of what is no name. */
function namesIn(value: string): readonly string[] {
  const words = value.split(/[-_.]|(?<=[a-z\d])(?=[A-Z])/);
  const isName = words.every((each) => /^(?:[a-z]*|[A-Z][a-z]+)\d{0,2}$/.test(each));
  return isName && /[a-z]{3}/.test(value) ? words : [];
}

const TOKEN_WORD = /token|key|schlüssel|clave|llave|chave|clé|トークン|토큰|令牌|密[钥鑰]/iu;
const ADDRESS = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
const SHORT_WORD = /^(?:pwd|pw|pass)$/i;

/** Letters with digits or with marks that no word has inside. */
function isMixed(value: string): boolean {
  return /\p{L}/u.test(value) && /\p{N}|[!@#$%^&*+?]/u.test(value);
}

/** Base64 may have a slash in it, but between long parts that no path has. */
function isRandom(value: string): boolean {
  return value
    .split(/[/\\]/)
    .some(
      (part) =>
        /^[\w+=-]{16,}$/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part),
    );
}

/** Whether the text stands where a password would and says so. */
export function isStandIn(value: string): boolean {
  return STAND_IN.test(value);
}

/** What a form says of the password in its field. */
const LABEL =
  /\b(?:passwords?|passphrase|token|secret|key|enter|your|please|must|should|required|invalid|wrong|forgot|characters|passwort|kennwort|contraseña|senha|mot de passe)\b|парол/iu;

/** What stands where a password would, and says so. */
const STAND_IN =
  /^(?:(?:your|my|the|some|new|old|db|user|test)?[-_ ]?(?:password|passwd|passwort|passphrase|pass|pwd|pw|secret|token|api[-_ ]?key|key|value)(?:[-_ ]?(?:here|goes|value|name|field))*|change[-_]?(?:me|this)|(?:an?[-_ ])?example[-_ ]?\w{0,12}|placeholder|dummy|redacted|required|optional|true|false|null|none|todo|tbd|x+|\.+|…)$|^your[-_]/i;

const NO_VALUE: readonly RegExp[] = [
  STAND_IN,
  // It only points to where the secret is.
  /^(?:[<${[(*…]|%[({sdv]|!(?:vault|secret|env|ref|sub)\b|process\.|os\.|env\b|getenv|import\.|config\b|settings\b|(?:secrets|vars?|local|args|self|this|options|opts|props|params|data|form\w{0,9}|user|session|req|request|res|response|ctx|context|event|body|payload|module)\.|\.\.\.)/i,
  /^(?:undefined|string)$|\((?:\)|$)/i,
  // It is put together when the program runs.
  /\$\{|\{\{|\$\(/,
  // A call, a member, a file, or a variable of the environment.
  /^[a-z_$.]+[([]|^[a-z_$][\w$]*(?:\.[\w$]+)+\(|^[a-z_$]+(?:\.[a-z_$]+)+$/i,
  /^[\w.-]+\.(?:txt|md|json|ya?ml|toml|ini|cfg|conf|env|local|pem|key|log|sql|sh|py|[jt]sx?)$/i,
  /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
  // What is said of passwords and has digits too.
  /^(?:sha-?\d|md5|argon2|pbkdf2|bcrypt|scrypt|base64|utf-?\d|oauth2?|oidc|totp|2fa|1password|k8s|ipv\d|v\d|(?:aes|rsa)[-\d]|ed25519|[ehr]s\d{3}|(?:min|max)(?:imum)?[-_]?len|length\b)/i,
  /^\d+[-\s]?(?:bit|byte|char|min|hour|day|sec|digit)/i,
];
