import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import { checkHealth } from '../../src/memory/upkeep/healthCheck.ts';
import { projectFiles } from '../../src/memory/upkeep/projectFiles.ts';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { healthReport } from '../../src/vscode/upkeep/healthReport.ts';
import { registerReports } from '../../src/vscode/upkeep/reportView.ts';
import { aRecord } from '../support/records.ts';
import { useTempFolder, writeTree } from '../support/tempFolder.ts';

const now = new Date('2026-06-30T12:00:00Z');
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const NO_EXPIRY = { afterDays: 0, expired: [], upcoming: [] };

describe('health report', () => {
  const temp = useTempFolder();

  async function reportOf(
    records: readonly MemoryRecord[],
    parts: Partial<Parameters<typeof healthReport>[0]> = {},
  ): Promise<string> {
    const project = projectFiles([temp.path], new AbortController().signal);
    const findings = await checkHealth({ records, damaged: [], projectOf: () => project, now });
    return healthReport({
      findings,
      records,
      checked: records.length,
      expiry: NO_EXPIRY,
      scopeOf: () => undefined,
      now,
      ...parts,
    });
  }

  it('says plainly that all is well', async () => {
    const report = await reportOf([aRecord({ description: 'Prefers tabs' })]);
    assert.match(report, /^# Memory Health\n/);
    assert.match(report, /\*\*1 memory checked, nothing to look at\. All is well\.\*\*/);
    assert.deepEqual(headings(report), ['Pinned', 'Expiry']);
  });

  it('counts first, then has a section for each kind, the urgent ones on top', async () => {
    const records = [
      aRecord({ name: 'stale', description: 'Lives in src/gone.ts' }),
      aRecord({ name: 'push', body: `Push with ${TOKEN}` }),
    ];
    const report = await reportOf(records);
    assert.match(report, /\*\*2 memories checked, 2 things to look at\*\*/);
    assert.deepEqual(headings(report), ['Secrets (1)', 'Out of date (1)', 'Pinned', 'Expiry']);
    assert.match(report, /there is no file src\\\/gone\\\.ts/);
  });

  it('never shows a secret', async () => {
    const report = await reportOf([
      aRecord({ name: 'push', description: `Push with ${TOKEN}`, body: TOKEN, pinned: true }),
    ]);
    assert.match(report, /GitHub/);
    assert.ok(!report.replaceAll('\\', '').includes(TOKEN));
  });

  it('links each file and names its scope', async () => {
    const file = 'a (b) 缩进.md';
    const target = path.join(temp.path, file);
    const report = await reportOf(
      [aRecord({ file, path: target, description: 'Tabs', pinned: true })],
      { scopeOf: () => 'Per[s]onal' },
    );
    const [, link = '', scope] = /\]\((file:[^\s()]+)\) \((.*?)\) — Tabs/.exec(report) ?? [];
    assert.equal(vscode.Uri.parse(link, true).fsPath, target);
    assert.equal(scope, 'Per\\[s\\]onal');
  });

  it('shows what a memory says as it is written', async () => {
    const description = '[x](command:y) <img src=z> `src/gone.ts` **b**';
    const report = await reportOf([aRecord({ name: 'sly', description, pinned: true })]);
    assert.ok(!/\]\(command:|(?<!\\)(?:<img|`src|\*\*b)/.test(report));
  });

  it('tells what has expired and what will', async () => {
    const record = aRecord({ name: 'old', description: 'Old' });
    const at = new Date(2026, 5, 1).getTime();
    const soon = new Date(2026, 6, 9).getTime();
    const report = await reportOf([record], {
      expiry: {
        afterDays: 90,
        expired: [{ record, because: 'age', at }],
        upcoming: [{ record, because: 'date', at: soon }],
      },
    });
    assert.match(report, /not changed for 90 days/);
    assert.match(report, /expired on Jun 1\\, 2026/);
    assert.match(report, /expires on Jul 9\\, 2026/);
    const expiry = { afterDays: 1, expired: [], upcoming: [] };
    assert.match(await reportOf([record], { expiry }), /not changed for 1 day\./);
  });

  it('shows the first hundred of a kind and counts the rest', async () => {
    const records = Array.from({ length: 103 }, (_, n) =>
      aRecord({ name: `n${n}`, description: `Lives in src/gone${n}.ts` }),
    );
    const report = await reportOf(records);
    assert.equal(report.match(/there is no file/g)?.length, 100);
    assert.match(report, /- and 3 more/);
  });
});

describe('report view', () => {
  it('opens a report in one tab, however often it is shown, and closes it in the end', async () => {
    const reports = registerReports();
    await reports.show({ title: 'A report', markdown: '# One' });
    await untilTabs('A report', 1);
    await reports.show({ title: 'A report', markdown: '# Two' });
    await reports.show({ title: 'Another report', markdown: '# Three' });
    await untilTabs('Another report', 1);
    assert.equal(tabs('A report').length, 1);
    reports.dispose();
    await untilTabs('A report', 0);
    await untilTabs('Another report', 0);
  });
});

describe('a link in a report', () => {
  const temp = useTempFolder();
  it('opens the file that it names, and nothing but files', async () => {
    const before = new Set(await vscode.commands.getCommands());
    const reports = registerReports();
    const [open, ...others] = (await vscode.commands.getCommands()).filter((id) => !before.has(id));
    assert.ok(open !== undefined && others.length === 0);
    const follow = (link: string) => vscode.commands.executeCommand(open, link);
    await writeTree(temp.path, { 'a (b) 缩进.md': 'Tabs.' });
    const target = vscode.Uri.file(path.join(temp.path, 'a (b) 缩进.md'));
    await follow(target.toString());
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, target.fsPath);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await follow('untitled:x.md');
    assert.equal(vscode.window.activeTextEditor, undefined);
    reports.dispose();
  });
});

function headings(report: string): readonly string[] {
  return Array.from(report.matchAll(/^## (.*)$/gm), ([, title]) => title ?? '');
}

function tabs(title: string): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ label }) => label === title);
}

async function untilTabs(title: string, count: number): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const look = () => {
    if (tabs(title).length === count) reached.resolve();
  };
  const listener = vscode.window.tabGroups.onDidChangeTabs(look);
  look();
  await reached.promise;
  listener.dispose();
}
