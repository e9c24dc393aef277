// What a search in the tree finds: memories that hold every word of it, wherever in name, description or text. Case,
// the width of characters and the form of accents are no difference. No 'vscode' import.

import { fold } from '../../memory/fieldText.ts';
import type { DamagedRecord, MemoryRecord } from '../../memory/record.ts';

type Searched = MemoryRecord | DamagedRecord;

/** Undefined where nothing is searched for. */
export function searchFor(query: string): ((memory: Searched) => boolean) | undefined {
  const words = fold(query).split(' ').filter(Boolean);
  if (words.length === 0) return undefined;
  return (memory) => {
    const text = textOf(memory);
    return words.every((word) => text.includes(word));
  };
}

/** Folded once: what is listed again without a change is the same object. */
const TEXTS = new WeakMap<Searched, string>();

function textOf(memory: Searched): string {
  const known = TEXTS.get(memory);
  if (known !== undefined) return known;
  const fields =
    'problem' in memory ? [memory.file] : [memory.name, memory.description, memory.body];
  const text = fields.map(fold).join('\n');
  TEXTS.set(memory, text);
  return text;
}
