// The words for what the health check finds: of each kind what it means and what to do, and of one finding what
// is the matter. In Markdown, with everything from a memory escaped.

import * as vscode from 'vscode';
import { secretKind } from '../../memory/secrets/secrets.ts';
import type { Finding, FindingKind } from '../../memory/upkeep/healthCheck.ts';
import { dayOf } from '../text/dayOf.ts';
import { figure } from '../text/figures.ts';
import { listText } from '../text/listText.ts';
import { plainLine, plainMarkdown } from '../text/plainText.ts';
import { sentenceText } from '../text/sentenceText.ts';

interface SectionWords {
  readonly title: string;
  readonly advice: string;
}

export function sectionWords(kind: FindingKind): SectionWords {
  const words: Record<FindingKind, SectionWords> = {
    secret: {
      title: vscode.l10n.t('Secrets'),
      advice: vscode.l10n.t(
        'These look like keys or passwords. A memory is sent to the model with your requests: remove the secret from the file, and replace it where it is used if the file was ever shared.',
      ),
    },
    damaged: {
      title: vscode.l10n.t('Damaged'),
      advice: vscode.l10n.t(
        'These files cannot be read as memories, so they are never recalled. Open them to fix what is named, or delete the files.',
      ),
    },
    duplicate: {
      title: vscode.l10n.t('Duplicates'),
      advice: vscode.l10n.t('These say the same. Keep the better one and delete the others.'),
    },
    stale: {
      title: vscode.l10n.t('Out of date'),
      advice: vscode.l10n.t(
        'These name something that is not in the project, so it was perhaps moved or renamed. Correct them, or delete them when they no longer hold.',
      ),
    },
    brokenLink: {
      title: vscode.l10n.t('Broken links'),
      advice: vscode.l10n.t(
        'These link to a memory that is not there. Correct or remove the link.',
      ),
    },
    unreachable: {
      title: vscode.l10n.t('Hard to find'),
      advice: vscode.l10n.t(
        'A memory is found by its name and description. Say in the description what it is about.',
      ),
    },
    overLong: {
      title: vscode.l10n.t('Too long'),
      advice: vscode.l10n.t(
        'A long memory crowds out others. Shorten it, or split it into several.',
      ),
    },
    kept: {
      title: vscode.l10n.t('Kept past their date'),
      advice: vscode.l10n.t(
        'These have an `expires` date that has passed, but are of a type that never expires, or pinned. Delete them when they no longer hold, or remove the date.',
      ),
    },
  };
  return words[kind];
}

export function findingText(finding: Finding): string {
  switch (finding.kind) {
    case 'secret':
      return secretText(finding);
    case 'damaged':
      return shown(sentenceText(finding.place.problem));
    case 'duplicate':
      return vscode.l10n.t('the same {0}', listText(finding.by.map(fieldName)));
    case 'stale':
      return staleText(finding);
    case 'brokenLink':
      return vscode.l10n.t('links to {0}', shown(finding.target));
    case 'unreachable':
      return unreachableText(finding);
    case 'overLong':
      return vscode.l10n.t(
        'the {0} has {1} characters; at most {2} are meant',
        fieldName(finding.field),
        figure(finding.length),
        figure(finding.limit),
      );
    case 'kept':
      return keptText(finding);
  }
}

type OfKind<Kind extends FindingKind> = Extract<Finding, { kind: Kind }>;

function secretText({ field, rule }: OfKind<'secret'>): string {
  const kind = shown(sentenceText(secretKind(rule)));
  if (field === 'text') return kind;
  return vscode.l10n.t('{0}, in the {1}', kind, fieldName(field));
}

function staleText({ reference: { kind, name } }: OfKind<'stale'>): string {
  switch (kind) {
    case 'file':
      return vscode.l10n.t('there is no file {0}', shown(name));
    case 'folder':
      return vscode.l10n.t('there is no folder {0}', shown(name));
    case 'script':
      return vscode.l10n.t('no package has a script {0}', shown(name));
    case 'target':
      return vscode.l10n.t('no makefile has a target {0}', shown(name));
  }
}

function unreachableText({ because }: OfKind<'unreachable'>): string {
  switch (because) {
    case 'noWords':
      return vscode.l10n.t('has no words to be found by');
    case 'emptyDescription':
      return vscode.l10n.t('the description has no word that says what it is about');
    case 'nameAsDescription':
      return vscode.l10n.t('the description only repeats the name');
  }
}

function keptText({ because, at }: OfKind<'kept'>): string {
  const date = shown(dayOf(at));
  return because === 'pinned'
    ? vscode.l10n.t('{0} has passed; it is pinned', date)
    : vscode.l10n.t('{0} has passed; this type never expires', date);
}

function fieldName(field: 'name' | 'description' | 'body'): string {
  const names = {
    name: vscode.l10n.t('name'),
    description: vscode.l10n.t('description'),
    body: vscode.l10n.t('text'),
  };
  return names[field];
}

function shown(text: string): string {
  return plainMarkdown(plainLine(text));
}
