// Says once which settings hold what they cannot hold, and what counts in its place: one message for all, when the
// window opens and when a setting changes.

import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { SETTINGS, SETTINGS_SECTION } from '../../manifest.ts';
import { offerAfterWarning } from '../host/ask.ts';
import { onDidChangeSettings } from '../host/settings.ts';
import { SETTING_RULES, type Rule } from '../host/settingRules.ts';
import { listText } from '../text/listText.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { joinedText } from '../text/joinedText.ts';

interface SettingProblemDeps {
  /** Keeps what was told, so that no window tells it again. */
  readonly memento: vscode.Memento;
  readonly log: Log;
  /** How long a setting must stand before it is looked at. */
  readonly settleMs?: number;
}

/** A value is saved while it is typed. */
const SETTLE_MS = 3_000;
const TOLD_KEY = 'memoryAgent.toldSettings';
/** More than anybody mistypes, and still small. */
const MOST_TOLD = 100;
/** A wrong value may be a whole file pasted in the wrong place. */
const VALUE_CHARS = 40;

export function registerSettingProblems(deps: SettingProblemDeps): vscode.Disposable {
  let settling: NodeJS.Timeout | undefined;
  const look = () => void tellProblems(deps);
  look();
  return vscode.Disposable.from(
    onDidChangeSettings(() => {
      clearTimeout(settling);
      settling = setTimeout(look, deps.settleMs ?? SETTLE_MS);
    }),
    { dispose: () => clearTimeout(settling) },
  );
}

async function tellProblems({ memento, log }: SettingProblemDeps): Promise<void> {
  const problems = findProblems();
  const told = stringsIn(memento.get(TOLD_KEY));
  const untold = problems.filter(({ text }) => !told.includes(text));
  if (untold.length === 0) return;
  for (const { text } of untold) log.warn(`[settings] ${text}`);
  await memento.update(TOLD_KEY, [...told, ...untold.map(({ text }) => text)].slice(-MOST_TOLD));
  const text = joinedText(untold.map((problem) => problem.text));
  if (!(await offerAfterWarning(text, vscode.l10n.t('Open Settings')))) return;
  const query = untold.map(({ id }) => `@id:${id}`).join(' ');
  await vscode.commands.executeCommand('workbench.action.openSettings', query);
}

interface SettingProblem {
  readonly id: string;
  readonly text: string;
}

/** Of the window and of each of its folders, each once. */
function findProblems(): readonly SettingProblem[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const problems = [undefined, ...folders.map(({ uri }) => uri)].flatMap((scope) => {
    const configuration = vscode.workspace.getConfiguration(SETTINGS_SECTION, scope);
    return Object.values(SETTING_RULES).flatMap((rule): readonly SettingProblem[] => {
      const value: unknown = configuration.get(rule.key);
      if (value === undefined || rule.parse(value) !== undefined) return [];
      return [{ id: `${SETTINGS_SECTION}.${rule.key}`, text: problemText(rule, value) }];
    });
  });
  return problems.filter(
    ({ text }, index) => problems.findIndex((other) => other.text === text) === index,
  );
}

function problemText({ key, shape }: Rule<unknown>, value: unknown): string {
  const id = `${SETTINGS_SECTION}.${key}`;
  const held = shortJson(value);
  const used = JSON.stringify(SETTINGS[key]);
  switch (shape.kind) {
    case 'choice':
      return vscode.l10n.t(
        'The setting {0} is {1}, which is none of {2}. {3} is used instead.',
        id,
        held,
        listText(shape.words.map((word) => JSON.stringify(word))),
        used,
      );
    case 'whole':
      return shape.most === undefined
        ? vscode.l10n.t(
            'The setting {0} is {1}, which is not a whole number of at least {2}. {3} is used instead.',
            id,
            held,
            shape.least,
            used,
          )
        : vscode.l10n.t(
            'The setting {0} is {1}, which is not a whole number from {2} to {3}. {4} is used instead.',
            id,
            held,
            shape.least,
            shape.most,
            used,
          );
    case 'text':
      return vscode.l10n.t(
        'The setting {0} is {1}, which is not text. {2} is used instead.',
        id,
        held,
        used,
      );
    case 'switch':
      return vscode.l10n.t(
        'The setting {0} is {1}, which is neither true nor false. {2} is used instead.',
        id,
        held,
        used,
      );
  }
}

function shortJson(value: unknown): string {
  return shorten(plainLine(JSON.stringify(value)), VALUE_CHARS);
}

function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
