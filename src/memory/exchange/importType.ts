// Guesses the type of an imported memory whose file does not say it. A simple rule that a person can foretell and
// that always answers the same; the preview shows the answer, and the person can change it.

import path from 'node:path';
import { oneLine } from '../fieldText.ts';
import { MEMORY_TYPES, type MemoryType } from '../record.ts';

/** The type of that name, in any case of its letters. */
export function typeNamed(value: unknown): MemoryType | undefined {
  const name = oneLine(value).toLowerCase();
  return MEMORY_TYPES.find((type) => type === name);
}

/**
 * 1. The type with which the file's name begins (`feedback_tests.md`), as some agents name their memories.
 * 2. `feedback` for a text that tells the reader what to do: it holds a word of instruction.
 * 3. `project` for every other.
 */
export function guessedType(file: string, text: string): MemoryType {
  const [prefix = ''] = path.basename(file).split(/[_-]/, 1);
  return (
    typeNamed(prefix) ?? (INSTRUCTION.some((word) => word.test(text)) ? 'feedback' : 'project')
  );
}

/** Of the languages in which people write such files most. */
const INSTRUCTION: readonly RegExp[] = [
  /\b(?:always|never|must|should|avoid|prefer|do not|don['’]t|make sure|ensure|please)\b/i,
  // Within a sentence it may tell what the project uses.
  /^[ \t>*+\d.-]{0,20}(?:use|keep|follow|write|add|ask)\b/im,
  /(?<!\p{L})(?:immer|niemals|nie|muss|müssen|soll|sollen|vermeide|bitte|siempre|nunca|debe|deben|evita|toujours|jamais|doit|doivent|évite[rz]?|sempre|evite|deve|devem|всегда|никогда|нельзя)(?!\p{L})/iu,
  /必须|必須|不要|不得|禁止|务必|務必|总是|總是|始终|始終|应该|應該|避免|永远不|永遠不|请(?!求)|請(?!求)/,
  /必ず|してください|しないで|すること(?![がはも])|べき|避け/,
  /항상|반드시|하지 ?마|하세요|해야|금지/,
];
