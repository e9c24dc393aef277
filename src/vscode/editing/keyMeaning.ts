// What the keys of a memory mean, in a sentence or two each: shown while one is typed, and over one that stands.

import * as vscode from 'vscode';
import type { RecordKey } from '../../memory/check/recordKeys.ts';
import { MAX_DESCRIPTION } from '../../memory/record.ts';

export function keyMeaning(key: RecordKey): string {
  const meanings: Record<RecordKey, string> = {
    name: vscode.l10n.t(
      'What the memory is called in lists and in the index: a few words with dashes between them, such as {0}.',
      'user-preference-tabs',
    ),
    description: vscode.l10n.t(
      'One line of at most {0} characters that says when the memory is of use. It is found by this line and its name.',
      MAX_DESCRIPTION,
    ),
    type: vscode.l10n.t(
      'What kind of memory it is. It decides under which heading it stands, and whether it can expire.',
    ),
    pinned: vscode.l10n.t(
      'true keeps the memory at the top of the index, out of every consolidation, and from expiring.',
    ),
    expires: vscode.l10n.t(
      'The last day on which the memory holds, such as 2026-12-31. Then it goes to the trash. Only project and reference memories expire.',
    ),
    supersedes: vscode.l10n.t(
      'The name of the memory that this one replaces. It is kept as a note and changes nothing.',
    ),
    created: vscode.l10n.t('When the memory was made. It is set when it is saved for you.'),
    updated: vscode.l10n.t('When it was last changed for you. A change by hand need not set it.'),
    source: vscode.l10n.t(
      'Who wrote the text, one of {0}. It is set when it is saved for you.',
      ['person', 'extraction', 'consolidation', 'import', 'agent'].join(', '),
    ),
  };
  return meanings[key];
}
