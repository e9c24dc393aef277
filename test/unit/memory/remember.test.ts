import assert from 'node:assert/strict';
import { SecretError } from '../../../src/memory/change.ts';
import { redactSecrets } from '../../../src/memory/secrets/secrets.ts';
import { recordFromLine, recordFromWords } from '../../../src/memory/remember.ts';

describe('remembering words without a model', () => {
  it('takes the first sentence as description and name, and keeps all words as body', () => {
    assert.deepEqual(recordFromWords('I prefer tabs. Spaces are fine in YAML.'), {
      name: 'i-prefer-tabs',
      description: 'I prefer tabs.',
      type: 'user',
      body: 'I prefer tabs. Spaces are fine in YAML.',
      source: 'person',
    });
  });

  it('takes the type from a prefix, in either colon', () => {
    assert.equal(recordFromWords('project: deploys are on Friday')?.type, 'project');
    assert.equal(recordFromWords('Reference：docs/adr')?.type, 'reference');
    assert.equal(recordFromWords('projects: three')?.type, 'user');
  });

  it('leaves out the words that only ask to remember', () => {
    assert.equal(recordFromWords('Remember that I like dark mode')?.body, 'I like dark mode');
    assert.equal(recordFromWords('remember: the port is 8080')?.body, 'the port is 8080');
    assert.equal(recordFromWords('Rememberable names only')?.body, 'Rememberable names only');
  });

  it('makes a short name and description from long words of any script', () => {
    const chinese = recordFromWords('我喜欢用制表符缩进，'.repeat(40));
    assert.ok(chinese);
    assert.ok(Array.from(chinese.description).length <= 150);
    assert.ok(Buffer.byteLength(chinese.name) <= 80);
    assert.match(chinese.name, /^我喜欢用制表符缩进/);
  });

  it('does not end a sentence inside a file name or a number', () => {
    assert.equal(
      recordFromWords('Use tsconfig.base.json with TypeScript 5.9 here')?.description,
      'Use tsconfig.base.json with TypeScript 5.9 here',
    );
  });

  it('makes no record where nothing is said', () => {
    assert.equal(recordFromWords('  '), undefined);
    assert.equal(recordFromWords('project: '), undefined);
    assert.equal(recordFromWords('Please remember:'), undefined);
    assert.equal(recordFromWords('remember that'), undefined);
  });

  it('makes no record of what was nothing but secrets', () => {
    const key = `sk-ant-${'a1'.repeat(10)}`;
    const saidOf = (words: string) => recordFromWords(redactSecrets(words))?.body;
    for (const words of [key, `Remember: \`${key}\`.`, `project: "${key}", ${key}`])
      assert.equal(saidOf(words), undefined, words);
    const rotated = 'We rotate [redacted: an Anthropic key] monthly';
    assert.equal(saidOf(`We rotate ${key} monthly`), rotated);
    assert.equal(saidOf('--> ***'), '--> ***');
  });

  it('makes the same name of one line, which is then the text too', () => {
    const description = 'We deploy  on Fridays, never on a Monday';
    assert.deepEqual(recordFromLine({ description, type: 'project' }), {
      name: 'we-deploy-on-fridays-never-on',
      description,
      type: 'project',
      body: description,
      source: 'person',
    });
  });

  it('makes no record of a secret, and names its kind but not the secret', () => {
    const key = `sk-ant-${'a1'.repeat(10)}`;
    const isRefusal = (error: unknown) =>
      error instanceof SecretError &&
      error.rule === 'an Anthropic key' &&
      !error.message.includes(key);
    assert.throws(() => recordFromWords(`my key is ${key}`), isRefusal);
    assert.throws(() => recordFromWords(`Keep this. The key: ${key}`), isRefusal);
    assert.throws(() => recordFromLine({ description: key, type: 'user' }), isRefusal);
  });
});
