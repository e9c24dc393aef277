// Finds what must never be written into a memory: keys, tokens, private keys, passwords. A small table of what is
// obvious; a miss is possible, so memories are private by default as well.

/** The kind of secret that stands in a text, in words for the log, or undefined. Never the secret itself. */
export function secretIn(text: string): string | undefined {
  const folded = text.normalize('NFKC');
  const known = Object.entries(KNOWN).find(([, pattern]) => pattern.test(folded));
  if (known) return known[0];
  const told = [...folded.matchAll(ASSIGNED), ...folded.matchAll(NAMED), ...folded.matchAll(LOGIN)];
  return told.some(({ groups }) => looksSecret(groups ?? {}))
    ? 'a password or token with its value'
    : undefined;
}

/** Every repetition is bounded or ends the match, so that no long text takes long. */
const KNOWN: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY/,
  'an Anthropic key': /\bsk-ant-[\w-]{8,}/,
  // A digit tells a key from a hyphenated word that happens to begin so.
  'an API key': /\bsk-(?=[\w-]{0,80}\d)[\w-]{16,}/,
  'a GitHub token': /\bgh[opsur]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}/,
  'a GitLab token': /\bgl(?:pat|ptt|dt|rt)-(?=[\w-]{0,80}\d)[\w-]{12,}/,
  'an npm token': /\bnpm_(?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{16,}/,
  'a PyPI token': /\bpypi-[\w-]{16,}/,
  'a Hugging Face token': /\bhf_[A-Za-z0-9]{16,}/,
  'a Stripe key': /\b(?:[sr]k|pk)_(?:live|test)_[A-Za-z0-9]{8,}|\bwhsec_[A-Za-z0-9]{16,}/,
  'a SendGrid key': /\bSG\.[\w-]{10,}\.[\w-]{10,}/,
  'a DigitalOcean token': /\bdo[opr]_v1_[a-f0-9]{16,}/,
  'an AWS key': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  'an Azure key': /\b(?:Account|SharedAccess)Key=[\w+/]{16,}/i,
  'a Slack token': /\bxox[abeoprs]-[\w-]{10,}|\bxapp-\d-[\w-]{10,}/,
  'a Google key': /\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}/,
  // Base64 of `{"`, with which every one of them begins.
  'a signed token': /\beyJ[\w-]{12,}/,
  'an authorization header': /\b(?:Bearer|Basic)\s+(?=[^\s\d]{0,80}\d)[\w.~+/-]{12,}/i,
  // `<…>`, `$…` and `{…}` in place of the password are the usual ways to leave it out.
  'a URL with a password': /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{1,80}:(?![<${*])[^\s/@]{3,}@/i,
};

/** A word for a secret, a sign, a value; perhaps what the secret is for in between. */
const ASSIGNED =
  /(?:password|passwd|passphrase|pgpass|auth[ _-]?token|(?<![a-z])(?:pwd|pass|secret|token|api[ _-]?key|access[ _-]?key|secret[ _-]?key)|passwort|kennwort|contraseña|mot de passe|senha|palavra-passe|парол[ья]|密码|密碼|口令|パスワード|トークン|비밀번호)(?:\s+(?:for|of|on|to|für|de|del|da|do|para|pour|для|от)(?:\s+[\p{L}\p{N}_.-]+){1,4}?)?["'`]?\s*(?<sign>=|:|—|是|为|為|は|(?:is|ist|lautet|es|est|é)(?![\p{L}\p{N}])|는|은)\s*(?<quote>["'`]?)(?<value>[^\s"'`,;，。、]{4,})/giu;

/** A password with its value behind it and nothing between. */
const NAMED =
  /(?:\b(?:password|passwd|passphrase|passwort|kennwort|contraseña|mot de passe|senha)|пароль|密码|密碼|口令|パスワード|비밀번호)\s+(?<quote>["'`]?)(?<value>[^\s"'`,;，。、]{6,})/giu;

/** A user and the password behind a slash. */
const LOGIN =
  /\b(?:log-?in|credentials|zugangsdaten)\s*(?:is|are|ist|sind|:|=)?\s+[\w.@+-]{1,60}\s*\/\s*(?<quote>["'`]?)(?<value>[^\s"'`,;，。、/]{6,})/giu;

/** A value that only points to where the secret is. */
const POINTER =
  /^(?:[<${[(*]|process\.|os\.|env\b|getenv|import\.|config\b|settings\b|null$|none$|true$|false$|undefined$|required$|optional$|string$|x+$|\.\.\.|…)|[/\\]|\(\)/i;

/** What is said of passwords and has digits too. */
const METHOD =
  /^(?:sha-?\d|md5|argon2|pbkdf2|bcrypt|scrypt|base64|utf-?\d|oauth2?|oidc|totp|2fa|1password|k8s|ipv\d|v\d)/i;

function looksSecret(parts: {
  readonly sign?: string;
  readonly quote?: string;
  readonly value?: string;
}): boolean {
  const value = (parts.value ?? '').replace(/[.!?:)\]]+$/, '');
  if (value.length < 6 || POINTER.test(value) || METHOD.test(value)) return false;
  // `password=hunter` assigns; `the token is cached` and `password: see 1Password` only tell.
  return parts.sign === '=' || isMixed(value) || (parts.sign !== undefined && parts.quote !== '');
}

/** Letters with digits or with marks that no word has inside. */
function isMixed(value: string): boolean {
  return /\p{L}/u.test(value) && /\p{N}|[!@#$%^&*+?]/u.test(value);
}
