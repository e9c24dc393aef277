// What a person needs to act on what git says: where a rule stands, and a command that is safe to paste.

import path from 'node:path';
import * as vscode from 'vscode';
import { infoIfPresent } from '../../base/files.ts';
import { repositoryTop } from '../../base/repositoryTop.ts';

interface RuleInFile {
  /** As git names it. */
  readonly where: string;
  readonly line: number;
  readonly pattern: string;
  /** Undefined when the file is not found. */
  readonly uri?: vscode.Uri;
}

/** `rule` is what git says of a file in `folder`: `<where>:<line>:<pattern>`. */
export async function ruleInFile(folder: string, rule: string): Promise<RuleInFile> {
  // A path may hold a colon, a drive for one.
  const [, where = rule, line = '1', pattern = ''] = /^(.*?):(\d+):(.*)$/s.exec(rule) ?? [];
  const found = { where, line: Number(line), pattern };
  // Git names rules from the top of the repository.
  const file = path.resolve((await repositoryTop(folder)) ?? folder, where);
  return (await infoIfPresent(file)) ? { ...found, uri: vscode.Uri.file(file) } : found;
}

/** Makes git forget files and leaves them on the disk. A name from a repository must not become a command. */
export function untrackCommand(files: readonly string[]): string {
  return ['git', 'rm', '--cached', '--', ...files.map(shown)].join(' ');
}

/** As a terminal of the workspace finds it; that of several folders may begin in any of them. */
function shown(file: string): string {
  const several = (vscode.workspace.workspaceFolders ?? []).length > 1;
  return quoted(several ? file : vscode.workspace.asRelativePath(file, false));
}

/** For the shells of Unix and for PowerShell, in which single quotes hold everything but themselves. */
function quoted(text: string): string {
  if (/^[\p{L}\p{N}._/\\:-]+$/u.test(text)) return text;
  const quote = process.platform === 'win32' ? "''" : "'\\''";
  return `'${text.replaceAll("'", quote)}'`;
}
