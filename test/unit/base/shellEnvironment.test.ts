import assert from 'node:assert/strict';
import { commandEnvironment } from '../../../src/base/shellEnvironment.ts';

describe('the environment of a command', () => {
  const added = Object.keys(commandEnvironment({}));
  const kept = (names: readonly string[], value = 'x') =>
    Object.keys(commandEnvironment(Object.fromEntries(names.map((name) => [name, value])))).filter(
      (name) => !added.includes(name),
    );

  it('loses every name that looks like a secret', () => {
    const secret = [
      ['OPENAI_API_KEY', 'npm_token', 'CLIENT_SECRET', 'TOKEN', 'AWS_SECRET_ACCESS_KEY'],
      ['PGPASSWORD', 'MYSQL_PWD', 'OPENAI_KEY', 'DJANGO_SECRET_KEY', 'STRIPE_SECRET_KEY'],
      ['SSH_PRIVATE_KEY', 'GITHUB_PAT', 'AUTHTOKEN', 'NPM_CONFIG__AUTH', 'DB_PASS', 'SSHPASS'],
      ['ANTHROPIC_API_KEY_2', 'API_KEY2', 'GPG_PASSPHRASE', 'AWS_CREDENTIALS', 'MYSQL_PASSWD'],
      ['GH_TOKEN', 'GITHUB_TOKEN', 'NPM_TOKEN', 'NODE_AUTH_TOKEN', 'HF_TOKEN', 'VAULT_TOKEN'],
      ['AWS_ACCESS_KEY_ID', 'AWS_SESSION_TOKEN', 'AZURE_CLIENT_SECRET', 'ANTHROPIC_AUTH_TOKEN'],
      ['GOOGLE_APPLICATION_CREDENTIALS', 'DOCKER_AUTH_CONFIG', 'SESSION_COOKIE', 'SUPABASE_JWT'],
      ['npm_config_//registry/:_authToken', 'openaiApiKey', 'ANTHROPIC_CUSTOM_HEADERS'],
    ].flat();
    assert.deepEqual(kept(secret), []);
  });

  it('keeps names that only sound like one', () => {
    const plain = [
      ['PATH', 'PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'XAUTHORITY', 'GPG_AGENT_INFO'],
      ['TOKENIZERS_PARALLELISM', 'SECRETARY', 'KEYBOARD', 'GIT_AUTHOR_NAME', 'GIT_ASKPASS'],
      [
        'ANTHROPIC_BASE_URL',
        'ANTHROPIC_MODEL',
        'AWS_REGION',
        'AWS_PROFILE',
        'LANG',
        'SHELL',
        'USER',
      ],
      ['COMPASS', 'GNOME_KEYRING_CONTROL', 'MAX_THINKING_TOKENS', 'CLASSPATH', 'HOME'],
    ].flat();
    assert.deepEqual(kept(plain), plain);
  });

  it('loses a value that holds a password, whatever its name', () => {
    for (const value of [
      'postgres://ana:pw@db/x',
      'redis://:pw@cache:6379',
      'jdbc:postgresql://db/x?user=ana&password=pw',
      'Server=db;Database=x;Password=pw',
    ]) {
      assert.deepEqual(kept(['DATABASE_URL'], value), [], value);
    }
  });

  it('loses a value that begins like the key of a service, whatever its name', () => {
    for (const lead of ['sk-ant-', 'ghp_', 'github_pat_', 'glpat-', 'xoxb-', 'AKIA', 'AIza']) {
      assert.deepEqual(kept(['MINE'], lead + 'x'.repeat(16)), [], lead);
    }
    const words = ['sketch', 'npm', 'AKIRA', 'hfs', '/usr/bin:/bin'];
    for (const word of words) assert.deepEqual(kept(['MINE'], word), ['MINE'], word);
  });

  it('lets nothing wait for a person, and does not pass for a build server', () => {
    const env = commandEnvironment({
      EDITOR: 'vi',
      GIT_EDITOR: 'code --wait',
      PAGER: 'less',
      A: 'a',
    });
    assert.deepEqual(env, {
      A: 'a',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      EDITOR: 'true',
      VISUAL: 'true',
      GIT_EDITOR: 'true',
      GIT_SEQUENCE_EDITOR: 'true',
      GIT_TERMINAL_PROMPT: '0',
      GIT_OPTIONAL_LOCKS: '0',
    });
  });

  it('keeps addresses without a password', () => {
    for (const value of [
      'postgres://ana@db:5432/x',
      'ssh://git@host/x',
      'http://host:80/@scope/name',
      'https://host/a:b@c',
    ]) {
      assert.deepEqual(kept(['ADDRESS'], value), ['ADDRESS'], value);
    }
  });

  it('loses what makes VS Code run as plain Node', () => {
    assert.deepEqual(kept(['ELECTRON_RUN_AS_NODE']), []);
  });
});
