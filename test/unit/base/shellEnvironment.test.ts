import assert from 'node:assert/strict';
import { withoutSecrets } from '../../../src/base/shellEnvironment.ts';

describe('the environment of a command', () => {
  const kept = (names: readonly string[], value = 'x') =>
    Object.keys(withoutSecrets(Object.fromEntries(names.map((name) => [name, value]))));

  it('loses every name that looks like a secret', () => {
    const secret = [
      ['OPENAI_API_KEY', 'npm_token', 'CLIENT_SECRET', 'TOKEN', 'AWS_SECRET_ACCESS_KEY'],
      ['PGPASSWORD', 'MYSQL_PWD', 'OPENAI_KEY', 'DJANGO_SECRET_KEY', 'STRIPE_SECRET_KEY'],
      ['SSH_PRIVATE_KEY', 'GITHUB_PAT', 'AUTHTOKEN', 'NPM_CONFIG__AUTH', 'DB_PASS', 'SSHPASS'],
      ['ANTHROPIC_API_KEY_2', 'API_KEY2', 'GPG_PASSPHRASE', 'AWS_CREDENTIALS', 'MYSQL_PASSWD'],
      ['npm_config_//registry/:_authToken', 'openaiApiKey', 'ANTHROPIC_CUSTOM_HEADERS'],
    ].flat();
    assert.deepEqual(kept(secret), []);
  });

  it('keeps names that only sound like one', () => {
    const plain = [
      ['PATH', 'PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'XAUTHORITY', 'GPG_AGENT_INFO'],
      ['TOKENIZERS_PARALLELISM', 'SECRETARY', 'KEYBOARD', 'GIT_AUTHOR_NAME', 'GIT_ASKPASS'],
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
