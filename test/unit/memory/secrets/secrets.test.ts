import assert from 'node:assert/strict';
import { array, assert as assertAll, constantFrom, oneof, property, string } from 'fast-check';
import { Sentence } from '../../../../src/base/sentence.ts';
import {
  findSecrets,
  redactSecrets,
  secretIn,
  secretKind,
} from '../../../../src/memory/secrets/secrets.ts';

/** Put together, as all below, so that no scanner takes this file for a leak. */
const WORD = ['sword', 'fish'].join('');
const MIXED = ['hunter', '22'].join('');
const SEASON = ['Summer', '2026!'].join('');
const MADE = (length: number): string => 'a1B2c3D4e5'.repeat(10).slice(0, length);
const HEX = (length: number): string => '0a1b2c3d4e5f'.repeat(8).slice(0, length);
const PEM = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7\n';
const begin = (kind: string): string => `-----BEGIN ${kind}-----`;
const end = (kind: string): string => `-----END ${kind}-----`;

type Sample = readonly [kind: string, before: string, value: string, after?: string];

const API: readonly Sample[] = [
  ['an Anthropic key', 'Note: ', `sk-ant-api03-${MADE(40)}`],
  ['an Anthropic key', 'ANTHROPIC_API_KEY=', `sk-ant-${MADE(20)}-_AA`, '\n'],
  ['an OpenAI key', 'key: ', `sk-proj-${MADE(40)}`, '.'],
  ['an OpenAI key', '(', `sk-svcacct-${MADE(40)}`, ')'],
  ['an OpenAI key', '`', `sk-${MADE(20)}T3BlbkFJ${MADE(20)}`, '`'],
  ['an API key', 'router ', `sk-or-v1-${HEX(64)}`],
  ['a GitHub token', 'git clone https://', `ghp_${MADE(36)}`, '@github.com/a/b'],
  ['a GitHub token', '', `gho_${MADE(36)}`],
  ['a GitHub token', 'gh auth: ', `github_pat_${MADE(22)}_${MADE(59)}`],
  ['a GitLab token', 'Note: ', `glpat-${MADE(20)}`],
  ['a GitLab token', 'Note: ', `glpat-${MADE(30)}.01.${MADE(9)}`, '.'],
  ['a GitLab token', 'runner ', `glrt-${MADE(20)}`],
  ['an npm token', '//npm.example.org/:_authToken=', `npm_${MADE(36)}`],
  ['an npm token', '//npm.example.org/:_auth=', `${MADE(20)}==`, '\n'],
  ['a PyPI token', 'twine -p ', `pypi-AgEIcHlwaS5vcmc${MADE(40)}`],
  ['a Hugging Face token', 'Note: ', `hf_${'aBcD'.repeat(8)}`],
  ['a Stripe key', 'Note: ', `sk_live_${MADE(24)}`],
  ['a Stripe key', 'Note: ', `rk_test_${MADE(24)}`],
  ['a Stripe key', 'endpoint ', `whsec_${MADE(32)}`],
  ['a SendGrid key', 'Note: ', `SG.${MADE(22)}.${MADE(43)}`],
  ['a DigitalOcean token', 'doctl: ', `dop_v1_${HEX(64)}`],
  ['a Slack token', 'Note: ', `xoxb-${'1'.repeat(12)}-${MADE(24)}`],
  ['a Slack token', 'Note: ', `xoxe.xoxp-1-${MADE(40)}`],
  ['a Slack token', 'Note: ', `xapp-1-A${'1'.repeat(10)}-${HEX(40)}`],
  ['a Slack webhook', 'https://hooks.slack.com/services/', `T0${HEX(8)}/B0${HEX(8)}/${MADE(24)}`],
  ['a Discord webhook', 'https://discord.com/api/webhooks/', `${'1'.repeat(18)}/${MADE(68)}`],
  ['a Telegram bot token', 'chat ', `${'1'.repeat(9)}:AA${MADE(33)}`],
  ['a Telegram bot token', 'api.telegram.org/bot', `${'1'.repeat(10)}:AA${MADE(33)}`, '/getMe'],
  ['an AWS key', 'id ', `AKIA${'A1'.repeat(8)}`],
  ['an AWS key', 'aws_secret_access_key = ', `${MADE(20)}/${MADE(18)}+`],
  ['an AWS key', '"SecretAccessKey": "', `${MADE(20)}/${MADE(18)}+`, '"'],
  ['an AWS key', 'session ', `IQoJb3JpZ2lu${MADE(60)}/${MADE(40)}==`],
  [
    'an Azure key',
    'AccountName=a;AccountKey=',
    `${MADE(86)}==`,
    ';EndpointSuffix=core.windows.net',
  ],
  ['an Azure key', 'Endpoint=sb://a/;SharedAccessKey=', `${MADE(43)}=`],
  ['an Azure key', 'AZURE_OPENAI_KEY=', HEX(32)],
  ['an Azure key', 'client ', `abc8Q~${MADE(34)}`],
  ['an Azure key', 'ai ', `${MADE(52)}JQQJ99${'A1'.repeat(13)}`],
  ['an Azure key', 'https://a.blob.core.windows.net/b?sp=r&sig=', `${MADE(40)}%3D`, '&x=1'],
  ['a Google key', 'maps ', `AIza${MADE(35)}`],
  ['a Google key', 'oauth ', `ya29.${MADE(40)}`],
  ['a Google key', '"client_secret":"', `GOCSPX-${MADE(28)}`, '"'],
  ['an access token', 'groq ', `gsk_${MADE(40)}`],
  ['an access token', 'vault ', `hvs.${MADE(24)}`],
  ['a signed token', 'jwt ', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${MADE(10)}.${MADE(30)}`, '.'],
  ['a signed token', 'cut off: ', `eyJ${'hbGci'.repeat(4)}`],
  ['an age secret key', 'sops: ', `AGE-SECRET-KEY-1${'QPZRY9X8'.repeat(7)}`],
];

const KEYS: readonly Sample[] = [
  ...['RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', ''].map((kind): Sample => {
    const name = `${kind}PRIVATE KEY`;
    return ['a private key', 'Note:\n', `${begin(name)}\n${PEM}${end(name)}`, '\nand more'];
  }),
  [
    'a private key',
    'Note:\n',
    `${begin('PGP PRIVATE KEY BLOCK')}\n\n${PEM}=a1B2\n${end('PGP PRIVATE KEY BLOCK')}`,
    '\nand more',
  ],
  [
    'a private key',
    '{"private_key": "',
    `${begin('PRIVATE KEY')}\\n${MADE(60)}\\n${end('PRIVATE KEY')}`,
    '\\n", "client_email": "a@b.c"}',
  ],
  ['a private key', 'cut off: ', `${begin('RSA PRIVATE KEY')}\n${PEM}`],
  ['a private key', 'only ', begin('PRIVATE KEY')],
  ['a private key', '', `PuTTY-User-Key-File-3: ssh-ed25519\n${PEM}Private-MAC: ${HEX(64)}`, '\n'],
];

const URLS: readonly Sample[] = [
  ['postgres', 'app'],
  ['mysql', 'root'],
  ['mongodb+srv', 'app'],
  ['redis', ''],
  ['amqp', 'guest'],
  ['https', 'me'],
  ['smtp', 'a.b'],
].map(([scheme, user]): Sample => [
  'a password in a URL',
  `use ${scheme}://${user}:`,
  's3cret',
  '@db.example/app now',
]);

const PASSWORDS: readonly Sample[] = [
  ['a password in a URL', 'jdbc:postgresql://app:', 'p@ss', '@db/app'],
  ['a password in a connection string', 'Server=db;User Id=sa;Password=', 'ab/12', ';'],
  [
    'a password in a connection string',
    'jdbc:mysql://db/app?user=a&password=',
    's3cret',
    '&ssl=true',
  ],
  ['a password in a connection string', 'jdbc:oracle:thin:scott/', 't1ger', '@//db:1521/app'],
  ['a password in a .netrc', 'machine api.example.org login me password ', WORD, '\n'],
  ['a password in a .netrc', 'machine localhost\n  login me\n  password ', WORD, '\n'],
  ['an authorization header', 'Authorization: Bearer ', MADE(24)],
  ['an authorization header', '-H "Authorization: Basic ', `${'dXNl1'.repeat(4)}==`, '"'],
  ...(
    [
      ['password = ', 'hunter2hunter'],
      ['The password is ', 'hunter2'],
      ['The password is: ', 'hunter2'],
      ['PASSWORD=', 'correcthorse'],
      ['DB_PASSWORD: "', 'x9!kfz3', '"'],
      ['api_key: ', '9f8e7d6c5b'],
      ['密码是 ', 'abc12345'],
      ['密码是', 'abc12345', '请记住'],
      ['密钥：', 'abc12345'],
      ['パスワード：', 'abc12345'],
      ['비밀번호는 ', 'abc12345', '입니다'],
      ['PGPASSWORD=', WORD],
      ['export MYSQL_PWD=', WORD],
      ['password ', MIXED],
      ['my password is ', MIXED, '.'],
      ['the password for the staging db is ', MIXED],
      ['The password is "', WORD, '"'],
      ['password: ', `${WORD}@x`],
      ['密码 ', `${MIXED}222`],
      ['the password for the admin account on our staging is ', MIXED],
      ['the wifi pw is ', MIXED, '.'],
      ['api key ', HEX(32)],
      ['Our access token ', MADE(24), ' expires.'],
      ['API-Schlüssel: ', HEX(24)],
      ['la clave de la API es ', HEX(24)],
      ['la clé d’API est ', HEX(24)],
      ['a chave da API é ', HEX(24)],
      ['Das Passwort lautet ', SEASON],
      ['Das Passwort ist ', SEASON],
      ['Kennwort für die Datenbank: ', SEASON],
      ['La contraseña es ', SEASON],
      ['La contraseña de la base es ', SEASON],
      ['Mot de passe : ', `${SEASON}x`],
      ['Le mot de passe est ', SEASON],
      ['Senha: ', SEASON],
      ['A senha é ', SEASON],
      ['пароль: ', SEASON],
      ['Пароль — ', SEASON],
      ['login is admin / ', SEASON],
      ['Login: admin/', SEASON],
      ['const clientSecret = "', MADE(20), '";'],
      ['accessToken := "', MADE(20), '"'],
      ["'password' => '", MIXED, "',"],
      ['config["password"] = "', MIXED, '"'],
      ['{\\"password\\":\\"', MIXED, '\\"}'],
      ['password: "', 'correct horse battery staple', '"'],
      ['- **Password:** ', MIXED],
      ['- Password: **', MIXED, '**'],
      ['| Password | ', MIXED, ' |'],
      ['<password>', WORD, '</password>'],
      ['- name: DB_PASSWORD\n  value: ', MIXED],
      ['<add key="Password" value="', MIXED, '"/>'],
      ['password = token: ', MIXED],
      ['token=', `${MADE(20)}/${MADE(20)}`],
      ['curl -u admin:', MIXED, ' https://a.b'],
    ] as const
  ).map(([before, value, after = '']): Sample => ['a password or token', before, value, after]),
];

/** With the value on a line below its word. */
const BELOW: readonly Sample[] = (
  [
    ['password:\n  ', MIXED],
    ['password:\r\n  ', MIXED, '\r\nuser: me'],
    ['Password:\n\n', MIXED, '\n\nAsk Rosa for the rest.'],
    ['The password is\n', MIXED],
    ['Username: me\nPassword:\n\t', MIXED],
    ['Password:\n- ', MIXED],
    ['Password:\n* ', SEASON],
    ['- password:\n    - ', MIXED],
    ['- **Password:**\n  `', MIXED, '`'],
    ['**Password**\n', MIXED],
    ['## Password\n\n', MIXED],
    ['### Das Passwort\n', SEASON],
    ['Password\n  ', MIXED],
    ['Password of staging:\n\n    ', MIXED],
    ['Staging password\n\n    ', MIXED, '\n'],
    ['Password:\n> ', MIXED],
    ['Password:\n```\n', MIXED, '\n```'],
    ['Password\n\n```text\n', MIXED, '\n```'],
    ['password: |\n  ', MIXED],
    ['password: >-\n  ', SEASON, '\nuser: me'],
    ['password: # of staging\n  ', MIXED],
    ['密码：\n', 'abc12345'],
    ['密码\n', 'abc12345'],
    ['數據庫密碼：\n- ', 'abc12345'],
    ['пароль:\n', SEASON],
    ['Mot de passe :\n', SEASON],
    ['api_key:\n  - ', HEX(24)],
    ['## Access token\n\n', MADE(24)],
    ['client_secret:\n\t"', MADE(20), '"'],
    ['Token:\n`', MADE(20), '`'],
  ] as const
).map(([before, value, after = '']): Sample => ['a password or token', before, value, after]);

/** Like the name of something, but where a password or token is told. */
const LIKE_NAMES: readonly Sample[] = (
  [
    ['password: ', 'correct-horse-2'],
    ['password = ', 'swordfish_22'],
    ['password: ', 'mySecretDog7'],
    ['pw: ', MIXED],
    ['pass: ', 'correct-horse-2'],
    ['PW=', WORD],
    ['pw=', WORD],
    // `pw = playwright` reads the same: better a memory that is refused than a password in it.
    ['pw = ', WORD],
    ['user: me, pw = ', WORD],
    ['user = me\npass = ', WORD],
    ['The wifi pw = ', WORD],
    ['db_pass = ', WORD],
    ['pw = "', WORD, '"'],
    ['JWT_SECRET=', 'my-secret-42'],
    ['secret=', 'my-secret-42'],
    ['secret: ', `${WORD}1`],
    ['token: ', `${WORD}22`],
    ['token: ', `tok_${HEX(12)}`],
    ['token: ', 'ABCD-EFGH-12'],
    ['api key: ', `prod-${HEX(12)}`],
  ] as const
).map(([before, value, after = '']): Sample => ['a password or token', before, value, after]);

const SAMPLES: readonly Sample[] = [
  ...API,
  ...KEYS,
  ...URLS,
  ...PASSWORDS,
  ...BELOW,
  ...LIKE_NAMES,
];

const HARMLESS = [
  'Passwords are hashed with argon2id',
  'The token is cached in Redis',
  'The password: see 1Password',
  'The API key is in .env.local',
  'token=${TOKEN}',
  'password=${DB_PASSWORD}',
  'password=<your password>',
  'password: your-password-here',
  'password: changeme',
  'password: ********',
  'POSTGRES_PASSWORD=mypassword',
  'let password = undefined;',
  'token: fetch2Token()',
  'The password `hidden` field is gone',
  'DB_PASSWORD=CI_DB_PASSWORD',
  'apiKey = process.env.API_KEY',
  'token: ${{ secrets.NPM_TOKEN_2 }}',
  'password: !vault |',
  'The token is documented in docs/auth2.md',
  'postgres://user:<password>@host/db',
  'postgres://user:password@host/db',
  'postgres://$USER:$PASS@host/db',
  'mongodb://{user}:{password1}@host',
  'Open http://localhost:3000/a@b',
  'ssh://git@host:2222/a/b.git',
  'Branches are called task-sk-and-so-on',
  'sk-learn-compatible-estimators are preferred',
  'Set ANTHROPIC_API_KEY=sk-ant-your-key-here',
  'export OPENAI_API_KEY=sk-proj-xxxxxxxxxxxxxxxxxxxx',
  `The documented id ${['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('')} is nobody's`,
  'hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
  '接口密钥存放在环境变量里，密码不允许写进仓库',
  '密码是存在1Password里的',
  '密码 在C++代码里面用argon2处理',
  'password: "密码长度为8到16位"',
  'パスワードは8文字以上です',
  '비밀번호는 환경변수2에 있습니다',
  'basic auth in 1Password',
  'Our password policy asks for twelve characters',
  'password: "Please enter 8 characters"',
  'Keep the token budget under 20000',
  'The bearer token expires after 24 hours',
  'Use bearer authentication and basic authentication',
  'Authorization: Bearer <token>',
  'curl -H "Authorization: Bearer $TOKEN2" https://a.b',
  'docker run -u 1000:1000 node:24',
  'Passwords are stored as password sha256-hashes',
  'The password is required.',
  'The encryption key is 256-bit',
  'The password for admins is stored in the vault',
  'The password field is called user_pass2',
  'A password reset takes 5 minutes',
  'machine learning login page password reset',
  'Commit 2f564479c1d8a6b3e0f15a7d94c2b8e6f0a1d3c5 broke it',
  'git checkout 2f56447',
  'The tenant is 123e4567-e89b-12d3-a456-426614174000',
  'sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  `idna==3.7 --hash=sha256:${HEX(64)}`,
  `"integrity": "sha512-${MADE(86)}=="`,
  `![dot](data:image/png;base64,iVBORw0KGgo${MADE(90)}/+${MADE(80)}==)`,
  `sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJmaWxlIjoi${MADE(40)}`,
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5${MADE(44)} me@host`,
  `-----BEGIN CERTIFICATE-----\n${PEM}-----END CERTIFICATE-----`,
  `${begin('PUBLIC KEY')}\n${PEM}${end('PUBLIC KEY')}`,
  `${begin('PRIVATE KEY')}\n...\n${end('PRIVATE KEY')}`,
  'npm_config_registry and hf_home are set in CI',
  'pypi-publish-with-attestations2 is the job',
  'PGPASSWORD=$PGPASSWORD psql',
  'const token = lexer.next();',
  'token = nextToken',
  'const password = formData.get("password")',
  'secret = crypto.randomBytes(32)',
  'function login(password: string, token?: string): void',
  'if (password === expected) return token;',
  'password: str = Field(min_length=12)',
  'password:\n  username2: from the vault',
  'secretKeyRef: { name: db-credentials, key: password }',
  'tokens.map((token) => token.trim())',
  'The key file is C:\\Users\\me\\keys\\id_rsa2',
  'api_key: ~/.config/app/key2.txt',
  'Compass: north',
  'The stage passes `engines` on',
  "type KeySource = 'secret' | 'environment2';",
  '/(?:pwd|pass|secret1|token2)/',
  "setApiKey: vscode.l10n.t('Set')",
  "setApiKey: 'memoryAgent.setApiKey'",
  'const token = request.headers.authorization',
  'const token = `ghp_${random(36)}`',
  '| pass | 003_1287bcd7f787ff0e.txt |',
  'Das Passwort ist in 1Password',
  'Der API-Schlüssel liegt in 1Password',
  'La clave de la API está en 1Password',
  'The api key rotation2 job and the access token authenticationMiddleware2024_v2',
  'Set the pw in the vault',
  'Das Passwort lautet überall anders',
  'La contraseña es obligatoria.',
  'Le mot de passe est obligatoire',
  'Senha: ver 1Password',
  'Пароль хранится в 1Password',
  'Токены обновляются каждые 24 часа',
  'The login is at /accounts/login2',
  'Login is OAuth2 / OIDC only',
  'The login page is src/pages/login2.tsx',
  'Login: github.com/acme/login2',
  'import pw = require("playwright")',
  'pass = render_pass_2',
  'pass: test_login2',
  'token: tokenize_v2',
  'token = tokenizer2',
  'token: next_token2',
  'token: Token2Kind',
  'token = lexer2.next',
  'token = "csrf_token_v2"',
  'token: parseInt2',
  'id_token: id-token-v2',
  'access_token: string1',
  'api_key: header-x1',
  'api key: x-api-key-v1',
  'secret: kubernetes-secret-v2',
  'secret: prod-db-secret-v3',
  'secret: db-credentials-2',
  'password:\n  minLength: 8',
  'password:\n  - min8characters and a digit',
  'Password\n\nUse 1Password for it.',
  '## Password\n\nPOST /api/v2/login',
  '## Reset the password\n\nreset_password_v2',
  '- login\n- password\n- email2verify',
  'user\npassword\nme@mail.example',
  '## Token\n\nlexer22',
  'password: |\n  ${PASSWORD_2}',
  'token:\n  - tokenize_v2',
  'pass:\n  - "step 2 of the render pass"',
  'password:\n  - "minimum"',
  '## Password\n\nsha256-hashed',
];

const kindsOf = (text: string): readonly string[] => findSecrets(text).map(({ rule }) => rule);
const fullWidth = (text: string): string =>
  text.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
const brief = (text: string): string => JSON.stringify(text.slice(0, 48));

describe('findSecrets', () => {
  for (const [kind, before, value, after = ''] of SAMPLES) {
    it(`sees ${kind}, and no more than it, behind ${brief(before + value.slice(0, 6))}`, () => {
      const text = before + value + after;
      const start = before.length;
      assert.deepEqual(findSecrets(text), [{ rule: kind, start, end: start + value.length }]);
      assert.equal(secretIn(text), kind);
    });
  }

  for (const text of HARMLESS)
    it(`sees nothing in ${brief(text)}`, () => assert.deepEqual(findSecrets(text), []));

  it('gives the kind that it found as a sentence for a person', () => {
    const kind = secretKind(secretIn(`gh auth: gho_${MADE(36)}`) ?? '');
    assert.ok(kind instanceof Sentence);
    assert.equal(String(kind), 'a GitHub token');
    assert.equal(secretKind('of another time'), 'of another time');
  });

  it('tells the place in the text itself, whatever became of the characters before it', () => {
    const value = `ghp_${MADE(36)}`;
    for (const before of [
      'ﷺ ',
      'cafe\u0301 ',
      '① ㌖ ½ ',
      'ﾊﾟｽ ',
      '\u1112\u1161\u11ab ',
      '😀 ',
      '\ud800 ',
    ]) {
      const text = `${before}${value} ﬁn`;
      const [found] = findSecrets(text);
      assert.equal(text.slice(found?.start, found?.end), value, before);
    }
  });

  it('sees full-width secrets where they are', () => {
    for (const [kind, before, value] of API) {
      const text = `メモ ${before}${fullWidth(value)} です`;
      const start = text.indexOf(fullWidth(value));
      const [found] = findSecrets(text);
      assert.deepEqual(found, { rule: kind, start, end: start + value.length });
    }
  });

  it('sees words for a password in decomposed and half-width letters', () => {
    for (const before of ['La contrasen\u0303a es ', 'ﾊﾟｽﾜｰﾄﾞ：', 'парол\u044c: '])
      assert.deepEqual(kindsOf(`${before}${SEASON}`), ['a password or token'], before);
  });

  it('sees what has marks without width in it, as a whole', () => {
    const key = `ghp_\u200b${MADE(20)}\u2060${MADE(16)}`;
    const text = `Note:\ufeff ${key} ends`;
    const [found] = findSecrets(text);
    assert.equal(text.slice(found?.start, found?.end), key);
    assert.deepEqual(kindsOf(`pass\u00adword: ${MIXED}`), ['a password or token']);
  });

  it('sees each of several, in order, whatever their kind', () => {
    const key = `ghp_${MADE(36)}`;
    const text = `password: ${MIXED}, ${key}, postgres://a:s3cret@b, ${key}`;
    assert.deepEqual(kindsOf(text), [
      'a password or token',
      'a GitHub token',
      'a password in a URL',
      'a GitHub token',
    ]);
  });

  it('names what overlaps by what tells the most, as one', () => {
    const key = `sk-ant-${MADE(40)}`;
    const text = `password: "${key} and more2"`;
    assert.deepEqual(findSecrets(text), [
      { rule: 'an Anthropic key', start: 11, end: text.length - 1 },
    ]);
  });

  it('covers a value to its end, however long', () => {
    for (const text of [`password=${MADE(90).repeat(20)}`, `token: "${MADE(90).repeat(20)}`]) {
      const [found] = findSecrets(text);
      assert.equal(found?.end, text.length);
    }
  });

  for (const unit of [
    'a.',
    'sk-',
    'sk-ant-example',
    'password for ',
    'passwort für ',
    'password=<',
    'password: "',
    'token: /',
    'login a ',
    'login: a/',
    'Bearer x',
    'eyJ.',
    '-eyJhbGc',
    '://a:',
    'e\u0301',
    '\u0301\u0316',
    ';pwd=(',
    'machine a.b login ',
    '-----BEGIN PRIVATE ',
    'Ａ',
    'password\n',
    'password: # ',
    'user pw = ',
    'token:\n\n',
  ]) {
    it(`soon sees nothing in a long text of ${brief(unit)}`, function () {
      this.timeout(10_000);
      assert.equal(secretIn(unit.repeat(50_000)), undefined);
    });
  }
});

describe('redactSecrets', () => {
  it('puts the kind in place of each value and keeps the rest', () => {
    for (const [kind, before, value, after = ''] of SAMPLES)
      assert.equal(redactSecrets(before + value + after), `${before}[redacted: ${kind}]${after}`);
  });

  it('keeps a text without secrets as it is', () => {
    for (const text of [...HARMLESS, 'ﬁn\r\n\ud800\u0301 ① '])
      assert.equal(redactSecrets(text), text);
  });

  it('keeps the rest of a text of many, byte for byte', () => {
    const closed = SAMPLES.filter(
      ([, before]) => !before.startsWith('cut off') && !before.startsWith('only'),
    );
    const part = oneof(
      constantFrom(...closed).map(([kind, before, value, after = '']) => ({
        text: before + value + after,
        redacted: `${before}[redacted: ${kind}]${after}`,
      })),
      constantFrom(...HARMLESS, 'ﬁn ①', '😀\r\n', '', '---').map((text) => ({
        text,
        redacted: text,
      })),
    );
    assertAll(
      property(array(part, { maxLength: 8 }), (parts) => {
        const join = (key: 'text' | 'redacted'): string => parts.map((p) => p[key]).join('\n#\n');
        assert.equal(redactSecrets(join('text')), join('redacted'));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('leaves no secret, and nothing to do the next time, in whatever text', () => {
    const pieces = SAMPLES.flatMap(([kind, before, value, after = '']) => [
      before,
      value,
      value.slice(0, 12),
      after,
      `[redacted: ${kind}]`,
    ]);
    const marks = [
      '',
      ' ',
      '\n',
      '=',
      ': ',
      '"',
      "'",
      '`',
      '@',
      '://',
      '-',
      '_',
      '.',
      '/',
      ']',
      '**',
      '，',
      'é',
      'Ａ',
    ];
    const text = array(
      oneof(
        constantFrom(...pieces),
        constantFrom(...marks),
        constantFrom(...HARMLESS),
        string({ unit: 'binary', maxLength: 6 }),
      ),
      { maxLength: 14 },
    ).map((parts) => parts.join(''));
    assertAll(
      property(text, (original) => {
        const found = findSecrets(original);
        for (const [i, { start, end }] of found.entries()) {
          assert.ok(start < end && end <= original.length);
          assert.ok(start >= (found[i - 1]?.end ?? 0));
        }
        const redacted = redactSecrets(original);
        assert.deepEqual(findSecrets(redacted), []);
        assert.equal(redactSecrets(redacted), redacted);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });
});
