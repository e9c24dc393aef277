// What stays apart however much two memories belong together: what git takes and what is private, and what runs out
// on a day and what does not. Also who may let go what the person is like and wants.

import { sentence, type Sentence } from '../../base/sentence.ts';
import { canExpire } from '../expiry.ts';
import type { MemoryRecord, MemoryType } from '../record.ts';
import { contentTerms } from '../words/sharedWords.ts';

/** Why the records are not to become one; undefined when they may. */
export function keptApart(
  sources: readonly MemoryRecord[],
  isShared: (record: MemoryRecord) => boolean,
): Sentence | undefined {
  const shared = sources.find(isShared);
  const hidden = sources.find((record) => !isShared(record));
  if (shared && hidden)
    return sentence`${shared.file} is shared with git and ${hidden.file} is private, so they stay apart.`;
  const [first] = sources;
  const other = sources.find((record) => first && endOf(record) !== endOf(first));
  return first && other && sentence`${first.file} and ${other.file} run out at different times.`;
}

/** What a person is like and wants never runs out, so that no rewriting makes a fact of a project of it. */
export function lastingType(type: MemoryType, sources: readonly MemoryRecord[]): MemoryType {
  const lasting = sources.find((source) => isLasting(source.type))?.type;
  return lasting === undefined || isLasting(type) ? type : lasting;
}

/** Whether the person alone may have it go: they said it, and no other memory is about the same. */
export function isOnlyWord(record: MemoryRecord, others: readonly MemoryRecord[]): boolean {
  if (!isLasting(record.type)) return false;
  const terms = termsOf(record);
  return !others.some((other) => other !== record && shareTerm(terms, termsOf(other)));
}

function isLasting(type: MemoryType): boolean {
  return type === 'user' || type === 'feedback';
}

/** A date counts only in what can run out. */
function endOf(record: MemoryRecord): string | undefined {
  return canExpire(record) ? record.expires : undefined;
}

function termsOf({ description, body }: MemoryRecord): ReadonlySet<string> {
  return contentTerms(`${description}\n${body}`);
}

function shareTerm(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((term) => others.has(term));
}
