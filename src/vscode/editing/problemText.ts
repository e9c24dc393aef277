// The words for what is wrong in the text of a memory: what is the matter and what to do, in plain text. A secret is
// never repeated.

import * as vscode from 'vscode';
import type { RecordProblem } from '../../memory/check/problem.ts';
import { RECORD_KEYS } from '../../memory/check/recordKeys.ts';
import { MEMORY_TYPES } from '../../memory/record.ts';
import { secretIn, secretKind } from '../../memory/secrets/secrets.ts';
import { dayOf } from '../text/dayOf.ts';
import { figure } from '../text/figures.ts';
import { plainLine, shorten } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';

type OfKind<Kind extends RecordProblem['kind']> = Extract<RecordProblem, { kind: Kind }>;

export function problemText(problem: RecordProblem): string {
  switch (problem.kind) {
    case 'noFrontMatter':
      return vscode.l10n.t(
        'A memory begins with a line of ---, lines for {0}, and one more ---. Until then it is not recalled.',
        ['name', 'description', 'type'].join(', '),
      );
    case 'notClosed':
      return vscode.l10n.t(
        'The front matter does not end. Write a line of --- after its last key; until then the memory is not recalled.',
      );
    case 'otherLanguage':
      return vscode.l10n.t(
        'Front matter is read as YAML only, and code in it is never run. Leave the line at ---.',
      );
    case 'unreadable':
      return vscode.l10n.t(
        '{0} Until this is corrected the memory is not recalled.',
        plainLine(sentenceText(problem.said)),
      );
    case 'missing':
      return missingText(problem);
    case 'unknownType':
      return vscode.l10n.t(
        'There is no type “{0}”. Use one of {1}; until then the memory is not recalled.',
        shown(problem.written),
        MEMORY_TYPES.join(', '),
      );
    case 'unknownKey':
      return unknownKeyText(problem);
    case 'duplicateKey':
      return vscode.l10n.t(
        'The key “{0}” is here twice. Remove one of the two; until then the memory is not recalled.',
        shown(problem.key),
      );
    case 'tooLong':
      return tooLongText(problem);
    case 'emptyBody':
      return vscode.l10n.t(
        'There is no text after the front matter. Write below it what is to be remembered.',
      );
    case 'otherFile':
      return vscode.l10n.t(
        'A memory of this name would be stored in {0}. That does no harm; rename it so that the two match.',
        shown(problem.wanted),
      );
    case 'duplicate':
      return likeText(problem);
    case 'secret':
      return vscode.l10n.t(
        'This looks like {0}, and memories are sent to the model. Remove it here, and replace it where it is used if others may have seen it.',
        sentenceText(secretKind(problem.rule)),
      );
    case 'hidden':
      return vscode.l10n.t(
        'There are invisible characters here. They are left out when the memory is recalled; remove them.',
      );
    case 'noDate':
      return vscode.l10n.t(
        'This cannot be read as a date, so “{0}” counts for nothing. Write it as 2026-12-31.',
        problem.key,
      );
    case 'expired':
      return expiredText(problem);
    case 'neverExpires':
      return vscode.l10n.t(
        'A memory of type {0} never expires, so this date counts for nothing. Remove it, or delete the memory when it no longer holds.',
        problem.type,
      );
    case 'noBoolean':
      return vscode.l10n.t(
        '“{0}” is either true or false. Anything else counts as false.',
        'pinned',
      );
  }
}

function missingText({ key }: OfKind<'missing'>): string {
  switch (key) {
    case 'name':
      return vscode.l10n.t(
        'There is no name, so the name of the file stands in for it. Add a line with “{0}”.',
        'name:',
      );
    case 'description':
      return vscode.l10n.t(
        'There is no description, so the first line of the text stands in for it. Say in one line when this memory is of use.',
      );
    case 'type':
      return vscode.l10n.t(
        'There is no type. Add a line with “{0}” and one of {1}; until then the memory is not recalled.',
        'type:',
        MEMORY_TYPES.join(', '),
      );
  }
}

function unknownKeyText({ key, meant }: OfKind<'unknownKey'>): string {
  return meant === undefined
    ? vscode.l10n.t(
        'The key “{0}” is kept, but means nothing here. The keys that do are {1}.',
        shown(key),
        RECORD_KEYS.join(', '),
      )
    : vscode.l10n.t(
        'The key “{0}” means nothing here. “{1}” is probably meant.',
        shown(key),
        meant,
      );
}

function tooLongText({ field, length, limit }: OfKind<'tooLong'>): string {
  switch (field) {
    case 'name':
      return vscode.l10n.t(
        'The name has {0} characters, and lists cut it after about {1}. A few words are enough.',
        figure(length),
        figure(limit),
      );
    case 'description':
      return vscode.l10n.t(
        'The description has {0} characters; at most {1} are meant. Move the rest into the text below.',
        figure(length),
        figure(limit),
      );
    case 'body':
      return vscode.l10n.t(
        'The text has {0} characters; at most {1} are meant, since a long memory crowds out others. Shorten it, or split it into several.',
        figure(length),
        figure(limit),
      );
  }
}

function likeText({ by, other }: OfKind<'duplicate'>): string {
  const name = shown(other.name);
  switch (by) {
    case 'text':
      return vscode.l10n.t(
        'This says nothing that “{0}” does not say. Keep the better one and delete the other.',
        name,
      );
    case 'name':
      return vscode.l10n.t(
        'There is another memory “{0}”. Give one of the two a name of its own, so that they can be told apart.',
        name,
      );
    case 'description':
      return vscode.l10n.t(
        '“{0}” has the same description. Say here what sets this one apart, or it is recalled for the wrong reason.',
        name,
      );
  }
}

function expiredText({ at, kept }: OfKind<'expired'>): string {
  const day = dayOf(at);
  switch (kept) {
    case 'pinned':
      return vscode.l10n.t(
        '{0} has passed, and the memory stays because it is pinned. Delete it when it no longer holds, or remove the date.',
        day,
      );
    case 'type':
      return vscode.l10n.t(
        '{0} has passed, and the memory stays because its type never expires. Delete it when it no longer holds, or remove the date.',
        day,
      );
    case undefined:
      return vscode.l10n.t(
        '{0} has passed, so this memory goes to the trash soon. Change or remove the date to keep it.',
        day,
      );
  }
}

/** Visible characters. Enough to know what is meant. */
const SHOWN_CHARS = 80;

function shown(text: string): string {
  // A key that was pasted in the place of a word is marked as what it is.
  if (secretIn(text) !== undefined) return '…';
  return shorten(plainLine(text), SHOWN_CHARS);
}
