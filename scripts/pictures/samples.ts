// What stands in the pictures: memories as a person may have them, odd ones, and proposed ones.

import fs from 'node:fs';
import path from 'node:path';

import { silentLog } from '../../src/base/log.ts';
import type { MemoryType } from '../../src/memory/record.ts';
import type { NewProposal } from '../../src/memory/review/proposals.ts';
import { MemoryStore } from '../../src/memory/store.ts';

/** Name, type, description, text. */
const TEN: readonly (readonly [string, MemoryType, string, string])[] = [
  [
    'indentation',
    'user',
    'Prefers tabs over spaces for indentation',
    'Indent with tabs, not spaces.\n\nIn YAML and JSON two spaces, as they take no tabs.',
  ],
  ['tabs', 'user', 'Indents with tabs', 'Tabs for indentation.'],
  ['language', 'user', 'Wants answers in short sentences', 'Answer in short sentences.'],
  [
    'tests-first',
    'feedback',
    'Write the failing test before the fix',
    'Write the failing test first, then the fix.',
  ],
  ['commit-titles', 'feedback', 'Commit titles in the imperative', 'Imperative, no full stop.'],
  ['release-day', 'project', 'Releases go out on Friday at noon', 'Friday at noon, after staging.'],
  ['database', 'project', 'Orders are kept in PostgreSQL 16', 'PostgreSQL 16, one schema a shop.'],
  ['old-host', 'project', 'The web shop runs on host web-1', 'It moves to web-2 in spring.'],
  ['dashboard', 'reference', 'Errors are counted on shop-errors', 'The dashboard shop-errors.'],
  ['style-guide', 'reference', 'The style guide is docs/style.md', 'docs/style.md'],
];

/** As the agent saves them, so that nobody has written them by hand. */
export async function fillWithTen(workspace: string): Promise<void> {
  const store = new MemoryStore({ folder: path.join(workspace, '.memory'), log: silentLog });
  for (const [name, type, description, body] of TEN)
    await store.create({ name, type, description, body });
}

export function fillWith(count: number): (workspace: string) => Promise<void> {
  const types = ['user', 'feedback', 'project', 'reference'] as const;
  return async (workspace) => {
    for (let number = 1; number <= count; number++) {
      const name = `memory-${String(number).padStart(4, '0')}`;
      const type = types[number % types.length] ?? 'user';
      const description = `What was said on occasion ${number}`;
      const body = `Text number ${number}.`;
      writeMemory(workspace, `${name}.md`, memoryText({ name, type, description, body }));
    }
  };
}

export async function fillWithOdd(workspace: string): Promise<void> {
  for (const [name, text] of Object.entries(LONG_AND_CHINESE)) writeMemory(workspace, name, text);
}

/** What a model makes of the ten: one pair says the same, and one of them is out of date. */
export const CONSOLIDATED = {
  merge: [
    {
      files: ['indentation.md', 'tabs.md'],
      name: 'indentation',
      type: 'user',
      description: 'Prefers tabs over spaces for indentation',
      body: 'Indent with tabs, not spaces.\n\nIn YAML and JSON two spaces, as they take no tabs.',
      reason: 'Both say that indentation is done with tabs.',
    },
  ],
  retire: [{ file: 'old-host.md', reason: 'The web shop has moved to web-2 since.' }],
};

/** From pieces, so that no scanner takes this file for a leak. */
export const SECRET = ['sk', 'ant', 'api03', 'Zq7w9Xk2Lm4Np8Rt6Vy1'].join('-');

/** In which there is nothing that is right. */
export const FAULTY = `---
descripton: ${'Prefers tabs over spaces, and says so again and again. '.repeat(4)}
type: user
expires: soon
colour: blue
---

The token is ghp_${'a1B2'.repeat(9)}.
`;

export const DAMAGED = '---\nname: [unclosed\n---\n';

/** What other agents were told, beside the ten. */
export async function fillForPicks(workspace: string): Promise<void> {
  await fillWithTen(workspace);
  const rules = path.join(workspace, '.cursor', 'rules');
  fs.mkdirSync(rules, { recursive: true });
  fs.writeFileSync(path.join(workspace, 'CLAUDE.md'), '# Errors\n\nAn error names the file.\n');
  fs.writeFileSync(
    path.join(rules, 'returns.mdc'),
    '---\ndescription: Early returns\n---\n\nReturn early.\n',
  );
  fs.writeFileSync(path.join(rules, 'tabs.mdc'), 'Tabs for indentation.\n');
  fs.writeFileSync(path.join(rules, 'staging.mdc'), `The key of staging is ${SECRET}.\n`);
  fs.writeFileSync(path.join(rules, 'cut.mdc'), '---\ndescription: [cut\n---\n');
}

const LONG_AND_CHINESE = {
  'indentation-and-quotes-in-all-languages-that-this-project-uses.md':
    '---\nname: indentation-and-quotes-in-all-languages-that-this-project-uses\ndescription: Tabs in Python and Go, two spaces in YAML and JSON, single quotes wherever the language leaves the choice\ntype: feedback\n---\n\nAsked for on several occasions.\n',
  '部署时间与发布流程.md':
    '---\nname: 部署时间与发布流程\ndescription: 每周五中午发布，发布前必须先在预发环境跑完整套测试，并通知值班同事\ntype: project\n---\n\n发布由值班同事执行。\n',
  'broken.md': DAMAGED,
};

export const PROPOSED: readonly NewProposal[] = [
  {
    kind: 'add',
    fields: {
      name: 'release-day',
      description: 'Releases go out on Friday at noon',
      type: 'project',
      body: 'Releases go out on Friday at noon, after the tests have passed on staging.',
    },
    quote: 'According to docs/release.md releases go out on Friday at noon.',
    from: 'assistant',
  },
  {
    kind: 'add',
    fields: {
      name: 'error-dashboard',
      description: 'Errors of the web shop are counted on a dashboard',
      type: 'reference',
      body: 'Errors of the web shop are counted on the dashboard “shop-errors”.',
    },
    quote: 'Errors are counted on the dashboard shop-errors.',
    from: 'pasted',
  },
];

interface MemoryText {
  readonly name: string;
  readonly type: MemoryType;
  readonly description: string;
  readonly body: string;
}

function memoryText({ name, type, description, body }: MemoryText): string {
  return `---\nname: ${name}\ndescription: ${description}\ntype: ${type}\n---\n\n${body}\n`;
}

function writeMemory(workspace: string, name: string, text: string): void {
  const folder = path.join(workspace, '.memory');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
}
