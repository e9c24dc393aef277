import assert from 'node:assert/strict';
import { secretIn } from '../../../src/memory/secrets.ts';

/** Put together, as all below, so that no scanner takes this file for a leak. */
const WORD = ['sword', 'fish'].join('');
const MIXED = ['hunter', '22'].join('');
const SEASON = ['Summer', '2026!'].join('');

describe('secrets', () => {
  const secrets = [
    `sk-ant-api03-${'a1'.repeat(20)}`,
    `sk-proj-${'a1'.repeat(20)}`,
    `ghp_${'a1'.repeat(18)}`,
    `github_pat_${'a1'.repeat(20)}`,
    `AKIA${'A1'.repeat(8)}`,
    `xoxb-${'1'.repeat(12)}-abc`,
    `AIza${'a1'.repeat(18)}`,
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----',
    'postgres://app:s3cret@db.example/app',
    'password = hunter2hunter',
    'The password is hunter2',
    'PASSWORD=correcthorse',
    'DB_PASSWORD: "x9!kfz3"',
    'api_key: 9f8e7d6c5b',
    '密码是 abc12345',
    'パスワード：abc12345',
    `Authorization: Bearer ${'a1B2'.repeat(6)}`,
    `Basic ${'dXNl1'.repeat(4)}==`,
    `AccountKey=${'a1B+'.repeat(8)}==`,
    `hf_${'aBcD'.repeat(8)}`,
    `sk_live_${'a1B2'.repeat(4)}`,
    `rk_live_${'a1B2'.repeat(4)}`,
    `SG.${'a1B2'.repeat(5)}.${'a1B2'.repeat(8)}`,
    `dop_v1_${'0a1b'.repeat(10)}`,
    `PGPASSWORD=${WORD}`,
    `export MYSQL_PWD=${WORD}`,
    `password ${MIXED}`,
    `my password is ${MIXED}.`,
    `the password for the staging db is ${MIXED}`,
    `The password is "${WORD}"`,
    `password: ${WORD}@x`,
    `密码 ${MIXED}222`,
    `Das Passwort lautet ${SEASON}`,
    `Das Passwort ist ${SEASON}`,
    `Kennwort für die Datenbank: ${SEASON}`,
    `La contraseña es ${SEASON}`,
    `La contraseña de la base es ${SEASON}`,
    `Mot de passe : ${SEASON}x`,
    `Le mot de passe est ${SEASON}`,
    `Senha: ${SEASON}`,
    `A senha é ${SEASON}`,
    `пароль: ${SEASON}`,
    `Пароль — ${SEASON}`,
    `login is admin / ${SEASON}`,
    `Login: admin/${SEASON}`,
    `eyJ${'hbGci'.repeat(4)}`,
    `npm_${'a1B2'.repeat(6)}`,
    `glpat-${'a1B2'.repeat(4)}`,
  ];
  for (const text of secrets) {
    it(`are seen in: ${text.slice(0, 20)}…`, () =>
      assert.notEqual(secretIn(`Note: ${text}`), undefined));
  }

  const harmless = [
    'Passwords are hashed with argon2id',
    'The token is cached in Redis',
    'The password: see 1Password',
    'The API key is in .env.local',
    'token=${TOKEN}',
    'password=<your password>',
    'apiKey = process.env.API_KEY',
    'The token is documented in docs/auth2.md',
    'postgres://user:<password>@host/db',
    'Open http://localhost:3000/a@b',
    'Branches are called task-sk-and-so-on',
    'sk-learn-compatible-estimators are preferred',
    '接口密钥存放在环境变量里，密码不允许写进仓库',
    'basic auth in 1Password',
    'Our password policy asks for twelve characters',
    'Keep the token budget under 20000',
    'The bearer token expires after 24 hours',
    'Use bearer authentication and basic authentication',
    'Passwords are stored as password sha256-hashes',
    'The password is required.',
    'The password for admins is stored in the vault',
    'The password field is called user_pass2',
    'A password reset takes 5 minutes',
    'Commit 2f564479c1d8a6b3e0f15a7d94c2b8e6f0a1d3c5 broke it',
    'The tenant is 123e4567-e89b-12d3-a456-426614174000',
    'sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'npm_config_registry and hf_home are set in CI',
    'PGPASSWORD=$PGPASSWORD psql',
    'Compass: north',
    'Das Passwort ist in 1Password',
    'Das Passwort lautet überall anders',
    'La contraseña es obligatoria.',
    'Le mot de passe est obligatoire',
    'Senha: ver 1Password',
    'Пароль хранится в 1Password',
    'The login is at /accounts/login2',
    'Login is OAuth2 / OIDC only',
    'The login page is src/pages/login2.tsx',
    'Login: github.com/acme/login2',
  ];
  for (const text of harmless) {
    it(`are not seen in: ${text}`, () => assert.equal(secretIn(text), undefined));
  }

  for (const unit of [
    'a.',
    'sk-',
    'password for ',
    'passwort für ',
    'login a ',
    'login: a/',
    'Bearer x',
    'eyJ.',
    '://a:',
  ]) {
    it(`are soon not found in a long text of: ${unit}`, function () {
      this.timeout(2000);
      assert.equal(secretIn(unit.repeat(50_000)), undefined);
    });
  }
});
