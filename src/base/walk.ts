// Lists the files below a folder as git would: nested .gitignore files honoured, .git never entered.
// Links are not followed, so a walk ends, and stays where its folder is.

import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isOfSystem } from './errorCode.ts';
import { listFolder, type FolderEntry } from './files.ts';
import { parseIgnoreRules, RULES_FILE, type Verdict } from './ignoreRules.ts';
import { PlainFileReader } from './plainFile.ts';
import { repositoryTop } from './repositoryTop.ts';

/** More rules than anyone writes; each is one more to try on every name. */
const MAX_RULES_BYTES = 1_000_000;

/** Very many rules take long on very many names; whoever uses the editor meanwhile must not wait longer. */
const MAX_BUSY_MS = 15;

export interface WalkOptions {
  readonly folder: string;
  /**
   * The topmost folder whose .gitignore counts; in a repository that begins higher, the repository's own top.
   * Without it nothing is ignored. `folder` is walked even when a rule above ignores it, or when it lies below
   * and hides itself by a .gitignore of `*`: whoever names it wants it.
   */
  readonly rulesFrom?: string;
  /** Told of each folder that may not be entered. */
  readonly onUnreadable?: (folder: string) => void;
}

interface RuleFile {
  /** What this file says of a path relative to the walked folder; folders end in `/`. */
  judge(relative: string): Verdict;
}

interface Pending {
  readonly kind: 'file' | 'folder';
  readonly relative: string;
  readonly rules: readonly RuleFile[];
}

/** Yields paths relative to `folder`, with `/`, in order of their names, one folder after the other. */
export async function* walk(options: WalkOptions, signal: AbortSignal): AsyncGenerator<string> {
  const { folder, rulesFrom } = options;
  const rules = rulesFrom === undefined ? [] : await rulesAbove(folder, rulesFrom);
  const pending: Pending[] = [{ kind: 'folder', relative: '', rules }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    signal.throwIfAborted();
    if (next.kind === 'file') yield next.relative;
    else pending.push(...(await childrenOf(next, options, signal)));
  }
}

/** What a folder holds, last name first: the walk takes from the end. */
async function childrenOf(
  parent: Pending,
  options: WalkOptions,
  signal: AbortSignal,
): Promise<Pending[]> {
  const absolute = path.join(options.folder, parent.relative);
  const entries = await entriesOf(absolute, options);
  const prefix = parent.relative === '' ? '' : `${parent.relative}/`;
  const hasRules =
    options.rulesFrom !== undefined &&
    entries.some((entry) => entry.name === RULES_FILE && entry.kind === 'file');
  const own = hasRules
    ? await ruleFile(absolute, (relative) => relative.slice(prefix.length))
    : undefined;
  const hidesItself =
    prefix === '' && absolute !== options.rulesFrom && own?.judge(RULES_FILE).ignored;
  const rules = own && !hidesItself ? [...parent.rules, own] : parent.rules;

  const children: Pending[] = [];
  let begun = performance.now();
  for (const { name, kind } of entries.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    if (name === '.git' || (kind !== 'file' && kind !== 'folder')) continue;
    if (performance.now() - begun > MAX_BUSY_MS) {
      await setImmediate();
      signal.throwIfAborted();
      begun = performance.now();
    }
    const relative = prefix + name;
    const judged = kind === 'folder' ? `${relative}/` : relative;
    if (isIgnored(rules, judged)) continue;
    children.push({
      kind,
      relative,
      rules: kind === 'folder' ? rules.filter((rule) => !rule.judge(judged).ignored) : rules,
    });
  }
  return children;
}

async function entriesOf(folder: string, options: WalkOptions): Promise<FolderEntry[]> {
  try {
    return await listFolder(folder);
  } catch (error) {
    // Whatever the system says of one folder (closed, too deep, on a disk that is gone), the others are walked.
    if (!isOfSystem(error)) throw error;
    options.onUnreadable?.(folder);
    return [];
  }
}

/** The file nearest to a path decides. */
function isIgnored(rules: readonly RuleFile[], relative: string): boolean {
  for (const rule of rules.toReversed()) {
    const { ignored, unignored } = rule.judge(relative);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * The rule files between the top and the folder, outermost first. One that ignores the folder itself is left
 * out, here and at each step down: all it could say is that everything in there is ignored.
 */
async function rulesAbove(folder: string, rulesFrom: string): Promise<RuleFile[]> {
  const top = (await repositoryTop(rulesFrom)) ?? rulesFrom;
  const rules: RuleFile[] = [];
  for (let above = folder; above !== top && above !== path.dirname(above);) {
    above = path.dirname(above);
    const prefix = `${path.relative(above, folder).replaceAll(path.sep, '/')}/`;
    const rule = await ruleFile(above, (relative) => prefix + relative);
    if (rule && !rule.judge('').ignored) rules.unshift(rule);
  }
  return rules;
}

async function ruleFile(
  folder: string,
  toRulePath: (relative: string) => string,
): Promise<RuleFile | undefined> {
  const [content] = await new PlainFileReader(MAX_RULES_BYTES).read([
    path.join(folder, RULES_FILE),
  ]);
  // As git does with rules that it cannot read: it goes on without them.
  if (!(content instanceof Uint8Array)) return undefined;
  // Loosely decoded: one odd byte in a comment must not stop a search.
  const text = content.toString('utf8');
  const rules = parseIgnoreRules(text);
  return { judge: (relative) => rules(toRulePath(relative)) };
}
