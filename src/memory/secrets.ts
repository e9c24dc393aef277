// Finds what must never be written into a memory: keys, tokens, private keys, passwords. A small table of what is
// obvious; a miss is possible, so memories are private by default as well.

/** The kind of secret that stands in a text, in words for the log, or undefined. Never the secret itself. */
export function secretIn(text: string): string | undefined {
  const folded = text.normalize('NFKC');
  const known = Object.entries(KNOWN).find(([, pattern]) => pattern.test(folded));
  if (known) return known[0];
  const values = Array.from(folded.matchAll(ASSIGNED), ({ groups }) => groups);
  return values.some((groups) => looksSecret(groups?.['sign'] ?? '', groups?.['value'] ?? ''))
    ? 'a password or token with its value'
    : undefined;
}

const KNOWN: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY/,
  'an Anthropic key': /\bsk-ant-[\w-]{8,}/,
  // A digit tells a key from a hyphenated word that happens to begin so.
  'an API key': /\bsk-(?=[\w-]*\d)[\w-]{16,}/,
  'a GitHub token': /\bgh[opsur]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}/,
  'a GitLab token': /\bglpat-[\w-]{16,}/,
  'an npm token': /\bnpm_[A-Za-z0-9]{30,}/,
  'an AWS key': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'a Slack token': /\bxox[abeoprs]-[\w-]{10,}/,
  'a Google key': /\bAIza[\w-]{30,}/,
  'a signed token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  // `<…>`, `$…` and `{…}` in place of the password are the usual ways to leave it out.
  'a URL with a password': /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:(?![<${*])[^\s/@]{3,}@/i,
};

const ASSIGNED =
  /(?:(?<![a-z])(?:password|passwd|passphrase|pwd|pass|secret|token|api[ _-]?key|access[ _-]?key)|密码|密碼|口令|パスワード|トークン|비밀번호)["'`]?\s*(?<sign>=|:|是|为|為|は|is\b|는|은)\s*["'`]?(?<value>[^\s"'`,;，。、]{4,})/giu;

/** A value that only points to where the secret is. */
const POINTER =
  /^(?:[<${[(*]|process\.|os\.|env\b|getenv|import\.|config\b|settings\b|null$|none$|true$|false$|undefined$|required$|optional$|string$|x+$|\.\.\.|…)|[/\\]|\(\)/i;

function looksSecret(sign: string, value: string): boolean {
  if (POINTER.test(value)) return false;
  // `password=hunter` assigns; `the token is cached` and `password: see 1Password` only tell.
  return sign === '=' ? value.length >= 6 : value.length >= 6 && hasLetterAndDigit(value);
}

function hasLetterAndDigit(value: string): boolean {
  return /\p{L}/u.test(value) && /\p{N}/u.test(value);
}
