// What a SKILL.md says of itself, and where its guide begins. Many are written for readers that are less strict than
// YAML, as with a colon in a description, so where YAML does not hold, plain lines are looked for.

import { oneLine } from '../../memory/fieldText.ts';
import { readMarkdown, RecordError } from '../../memory/frontMatter.ts';
import { withoutHidden } from '../../memory/hiddenText.ts';

interface SkillFile {
  /** On one line. Empty when it has none. */
  readonly name: string;
  readonly description: string;
  /** Only for when the person asks for it. */
  readonly onRequest: boolean;
  /** What stands behind the front matter. */
  readonly guide: string;
}

/** As for the front matter of a memory; a person writes far less. */
const MAX_HEAD = 10_000;
/** Neither a longer run of dashes, nor the name of a language other than YAML. */
const FRONT_MATTER = /^\uFEFF?---(?:[ \t]*ya?ml)?[ \t]*\r?\n([^]*?\n)??---[ \t]*(?:\r?\n|$)/i;
const ENTRY = /^([A-Za-z][\w-]*):(?=\s|$)[ \t]*([^\n]*(?:\n[ \t][^\n]*)*)/gm;

/** Throws why the front matter cannot be read. */
export function readSkillFile(text: string): SkillFile {
  try {
    const { data, rest } = readMarkdown(text);
    return skillFile((key) => data[key], rest);
  } catch (error) {
    const [whole, head = ''] = FRONT_MATTER.exec(text) ?? [];
    if (!(error instanceof RecordError) || whole === undefined || head.length > MAX_HEAD)
      throw error;
    const values = plainValues(head);
    // Of one that says nothing it is better to tell what is wrong in it.
    if (!values.get('description')) throw error;
    return skillFile((key) => values.get(key), text.slice(whole.length));
  }
}

function skillFile(value: (key: string) => unknown, guide: string): SkillFile {
  return {
    name: withoutHidden(oneLine(value('name'))),
    description: withoutHidden(oneLine(value('description'))),
    onRequest: oneLine(value('disable-model-invocation')) === 'true',
    guide,
  };
}

/** Lines of `key: text`, with the indented ones below, as text and nothing else. The first of a key holds. */
function plainValues(head: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [, key = '', value = ''] of head.matchAll(ENTRY))
    if (!values.has(key)) values.set(key, withoutMarks(value));
  return values;
}

/** Without the quotes around it, or the sign that a text of several lines follows. */
function withoutMarks(value: string): string {
  const text = value.trim();
  const [, , quoted] = /^(["'])(.*)\1$/s.exec(text) ?? [];
  return quoted ?? text.replace(/^[|>][+-]?[ \t]*(?:\r?\n|$)/, '');
}
