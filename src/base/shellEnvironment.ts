// The environment a command gets: without keys, tokens and passwords, since a model reads what a command prints,
// and with what keeps programs from waiting for somebody. What only looks like a secret is left out as well; a
// command that needs it can be given it by the person.

/** The end of a part of a name, whatever stands before it: AUTHTOKEN, PGPASSWORD, APIKEY. */
const SECRET_ENDING = /(KEYS?|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)\d*$/i;
/** These would hit harmless names as an ending (COMPASS), so they count as a whole part only. */
const SECRET_PART = /^(PWD|PASS|SSHPASS|PAT|AUTH|BEARER|COOKIE|JWT)\d*$/i;
const SECRET_NAMES = new Set(['ANTHROPIC_CUSTOM_HEADERS']);
/** Places and process ids, without which ssh and the shell do not work. */
const HARMLESS_NAMES = new Set(['PWD', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID']);
/** `scheme://user:password@host`, the user left out or not. */
const PASSWORD_IN_URL = /:\/\/[^\s/?#@]*:[^\s/?#]+@/;
/** `...?password=x`, and `Server=s;Password=x` of database drivers. */
const PASSWORD_IN_LIST = /(^|[?&;\s])(password|passwd|pwd)=[^\s&;]/i;
/** How the keys of well-known services begin, whatever the variable is called. */
const KEY_OF_SERVICE =
  /^(sk-|sk_live_|rk_live_|gh[opsu]_|github_pat_|glpat-|npm_|xox[abeprs]-|hf_|AKIA|AIza|eyJ[\w-]+\.eyJ|-----BEGIN )/;
/** VS Code runs its own processes as plain Node with it; `code` in a command would inherit it. */
const OF_THE_EDITOR = 'ELECTRON_RUN_AS_NODE';

/**
 * Nobody sits there who could turn a page, write a message or type a name. CI is not set: it would be the end of
 * more questions, but programs build and test differently then. Nor is anything that keeps a program from asking
 * in a window of its own, as those for the keys of git and ssh do, since there the person can answer.
 */
const UNATTENDED: NodeJS.ProcessEnv = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  // An editor would wait for the person, and often be a tab in this very window. This one leaves every text as it
  // is: git takes the message it had proposed, and refuses to commit where it had none.
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  // A look at the state writes nothing, and is not in the way of a git that the person runs meanwhile.
  GIT_OPTIONAL_LOCKS: '0',
};

export function commandEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...withoutSecrets(env), ...UNATTENDED };
}

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) =>
        name !== OF_THE_EDITOR &&
        !namesSecret(name) &&
        !KEY_OF_SERVICE.test(value) &&
        !PASSWORD_IN_URL.test(value) &&
        !PASSWORD_IN_LIST.test(value),
    ),
  );
}

function namesSecret(name: string): boolean {
  const upper = name.toUpperCase();
  if (HARMLESS_NAMES.has(upper)) return false;
  if (SECRET_NAMES.has(upper)) return true;
  return upper
    .split(/[^A-Z0-9]+/)
    .some((part) => SECRET_ENDING.test(part) || SECRET_PART.test(part));
}
