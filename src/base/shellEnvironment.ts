// The environment a command gets: without keys, tokens and passwords, since a model reads what a command prints.
// What only looks like one is left out as well; a command that needs it can be given it by the person.

/** The end of a part of a name, whatever stands before it: AUTHTOKEN, PGPASSWORD, APIKEY. */
const SECRET_ENDING = /(KEYS?|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)\d*$/i;
/** These would hit harmless names as an ending (COMPASS), so they count as a whole part only. */
const SECRET_PART = /^(PWD|PASS|SSHPASS|PAT|AUTH)\d*$/i;
const SECRET_NAMES = new Set(['ANTHROPIC_CUSTOM_HEADERS']);
/** Places and process ids, without which ssh and the shell do not work. */
const HARMLESS_NAMES = new Set(['PWD', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID']);
/** `scheme://user:password@host`, the user left out or not. */
const PASSWORD_IN_URL = /:\/\/[^\s/?#@]*:[^\s/?#]+@/;
/** `...?password=x`, and `Server=s;Password=x` of database drivers. */
const PASSWORD_IN_LIST = /(^|[?&;\s])(password|passwd|pwd)=[^\s&;]/i;
/** VS Code runs its own processes as plain Node with it; `code` in a command would inherit it. */
const OF_THE_EDITOR = 'ELECTRON_RUN_AS_NODE';

export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) =>
        name !== OF_THE_EDITOR &&
        !namesSecret(name) &&
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
