import assert from 'node:assert/strict';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { readImportSource } from '../../../../src/memory/exchange/importReader.ts';
import type { ImportSource } from '../../../../src/memory/exchange/importSources.ts';
import { useTempFolder, writeTree } from '../../../support/tempFolder.ts';

describe('readImportSource', () => {
  const temp = useTempFolder();

  /** Writes the files and reads them as a source of that kind. */
  async function read(
    files: Record<string, string | Uint8Array>,
    kind: ImportSource['kind'] = 'claudeMemory',
    scope: ImportSource['scope'] = 'workspace',
  ) {
    await writeTree(temp.path, files);
    const paths = Object.keys(files).map((file) => path.join(temp.path, file));
    return readImportSource({ kind, scope, path: temp.path, files: paths });
  }

  /** Name, description, type and body of each candidate. */
  async function fields(...given: Parameters<typeof read>) {
    const { candidates, problems } = await read(...given);
    assert.deepEqual(problems, []);
    return candidates.map(({ record: { name, description, type, body } }) => [
      name,
      description,
      type,
      body,
    ]);
  }

  /** Each problem with the file's name. */
  async function problems(...given: Parameters<typeof read>) {
    const { problems } = await read(...given);
    return problems.map(({ path: file, problem }) => [path.basename(file), String(problem)]);
  }

  it('reads a memory with its type at the top, or below `metadata`', async () => {
    const head = (type: string) => `---\nname: tabs\ndescription: "Tabs: always"\n${type}\n---\n`;
    assert.deepEqual(
      await fields({
        'a.md': `${head('type: reference')}Body\n`,
        'b.md': `${head('metadata: \n  node_type: memory\n  type: user\n  originSessionId: x')}\nBody`,
      }),
      [
        ['tabs', 'Tabs: always', 'reference', 'Body'],
        ['tabs', 'Tabs: always', 'user', 'Body'],
      ],
    );
  });

  it('says where each came from and that it was imported', async () => {
    const { candidates } = await read({ 'CLAUDE.md': '# A\n## Build\nnpm test' }, 'instructions');
    assert.deepEqual(candidates, [
      {
        record: {
          name: 'Build',
          description: 'Build: npm test',
          type: 'project',
          body: 'npm test',
          source: 'import',
        },
        origin: { path: path.join(temp.path, 'CLAUDE.md'), heading: 'Build' },
      },
    ]);
  });

  it('takes a note without front matter, or with an unknown type, as a whole', async () => {
    assert.deepEqual(
      await fields({
        'debugging.md': '# Debugging\n\n## Logs\n\nIn `out/`.\n',
        'feedback_x.md': '---\ntype: report\n---\nA fact.',
      }),
      [
        ['debugging', 'Debugging: In `out/`.', 'project', '# Debugging\n\n## Logs\n\nIn `out/`.'],
        ['feedback_x', 'A fact.', 'feedback', 'A fact.'],
      ],
    );
  });

  it('takes from an index the notes in it, but not its links', async () => {
    const index =
      '# Memory\n\n- [Tabs](tabs.md) — tabs\n* [B](b.md)\n\n## Notes\n\nThe API is slow.\n';
    assert.deepEqual(await fields({ 'MEMORY.md': index }), [
      ['Notes', 'Notes: The API is slow.', 'project', 'The API is slow.'],
    ]);
    const own = '# Memory Index\n\n- [a](a.md) — A [user]\n\n(3 more did not fit in this index.)\n';
    assert.deepEqual(await fields({ 'MEMORY.md': own }), []);
  });

  it('skips the front matter of an instruction file and leaves its imports as text', async () => {
    const text = '---\nowner: me\n---\n\n@docs/build.md\n\n## Rules\n\nNever push.\n';
    assert.deepEqual(await fields({ 'AGENTS.md': text }, 'instructions'), [
      ['AGENTS', '@docs/build.md', 'project', '@docs/build.md'],
      ['Rules', 'Rules: Never push.', 'feedback', 'Never push.'],
    ]);
  });

  it('keeps in a rule the files it applies to, and takes it for feedback', async () => {
    assert.deepEqual(
      await fields(
        {
          'web.instructions.md':
            '---\napplyTo: "**/*.ts,**/*.tsx"\ndescription: Web\n---\nReact 19.',
          'rules/api/RULE.md': '---\nglobs: ["a/**", b]\nalwaysApply: false\n---\nREST.',
        },
        'cursor',
      ),
      [
        ['web', 'Web', 'feedback', 'Applies to: `**/*.ts,**/*.tsx`\n\nReact 19.'],
        ['api', 'REST.', 'feedback', 'Applies to: `a/**, b`\n\nREST.'],
      ],
    );
  });

  it('reads front matter that is no YAML line by line, as patterns without quotes need', async () => {
    const text =
      "\uFEFF---\r\ndescription: 'It''s: tabs'\r\nglobs: *.ts, **/*.tsx\r\n---\r\nTabs.\r\n";
    assert.deepEqual(await fields({ 'tabs.mdc': text }, 'cursor'), [
      ['tabs', "It''s: tabs", 'feedback', 'Applies to: `*.ts, **/*.tsx`\n\nTabs.'],
    ]);
  });

  it('takes for text what only looks like front matter', async () => {
    const open = '---\nname: x\nNo end.';
    const rule = '---\nJust: [a line\n---\nMore.';
    assert.deepEqual(
      (await fields({ 'open.md': open, 'rule.md': rule })).map(([, , , body]) => body),
      [open, rule],
    );
  });

  it('takes what a person keeps for all projects for feedback', async () => {
    assert.deepEqual(
      (await fields({ 'CLAUDE.md': 'Answers in French.' }, 'instructions', 'personal')).map(
        ([, , type]) => type,
      ),
      ['feedback'],
    );
  });

  it('takes a chosen file in sections, unless its front matter makes it one memory', async () => {
    assert.deepEqual(
      (
        await fields(
          { 'notes.md': '# A\nB\n# C\nD', 'one.md': '---\nname: one\n---\n# A\nB\n# C\nD' },
          'chosen',
        )
      ).map(([name]) => name),
      ['A', 'C', 'one'],
    );
  });

  it('brings the pin and the date of a memory of ours', async () => {
    const text = '---\nname: a\ntype: user\npinned: true\nexpires: 2030-01-02T00:00:00Z\n---\nB';
    const [candidate] = (await read({ 'a.md': text }, 'chosen')).candidates;
    assert.deepEqual(
      [candidate?.record.pinned, candidate?.record.expires],
      [true, '2030-01-02T00:00:00.000Z'],
    );
  });

  it('refuses front matter that is code, and reads the other files', async () => {
    const code = '---js\n{ name: process.exit(1) }\n---\nBody';
    const { candidates } = await read({ 'a.md': code, 'b.md': 'Text.' });
    assert.deepEqual(
      candidates.map(({ record }) => record.body),
      ['Text.'],
    );
    const [[, problem] = []] = await problems({ 'a.md': code });
    assert.match(problem ?? '', /written in "js", and only YAML is read/);
  });

  it('names what it cannot read', async () => {
    const big = Buffer.alloc(1024 * 1024 + 1, 'a');
    assert.deepEqual(
      await problems({
        'a.md': Buffer.from([0x61, 0xe9]),
        'b.md': 'a\0b',
        'c.md': big,
        'd.md': 'D',
      }),
      [
        ['a.md', 'a.md is not UTF-8 text. (The encoded data was not valid for encoding utf-8)'],
        ['b.md', 'The file is not text.'],
        ['c.md', 'The file is larger than 1 MB.'],
      ],
    );
  });

  it('follows no link and says when a file is gone', async () => {
    await writeTree(temp.path, { 'real.md': 'Text.' });
    const [link, gone] = ['link.md', 'gone.md'].map((name) => path.join(temp.path, name));
    assert.ok(link && gone);
    await fs.symlink(path.join(temp.path, 'real.md'), link);
    const source = {
      kind: 'chosen',
      scope: 'workspace',
      path: temp.path,
      files: [link, gone],
    } as const;
    assert.deepEqual(
      (await readImportSource(source)).problems.map(({ problem }) => String(problem)),
      ['The file is a link, and links are not followed.', 'The file is gone by now.'],
    );
  });

  it('reads a file of a megabyte that is nothing but sections', async () => {
    const sections = Math.floor((1024 * 1024) / '# a\n\nb\n'.length);
    const { candidates, problems } = await read(
      { 'AGENTS.md': '# a\n\nb\n'.repeat(sections) },
      'instructions',
    );
    assert.deepEqual(problems, []);
    assert.equal(candidates.length, sections);
  });

  it('never throws on hostile front matter', async () => {
    const texts = [
      '---\n&a [*a]\n---\nB',
      '---\n- a\n---\nB',
      '---\n!!js/function x: y\n---\nB',
      '---\n---',
    ];
    const files = Object.fromEntries(texts.map((text, index) => [`${index}.md`, text]));
    await read(files, 'cursor');
  });
});
