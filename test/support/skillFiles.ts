// Skills on the disk of a test.

import path from 'node:path';
import { writeTree } from './tempFolder.ts';

/** Writes the SKILL.md of a folder such as `.claude/skills/notes`, and returns its absolute path. */
export async function writeSkill(root: string, place: string, text: string): Promise<string> {
  await writeTree(root, { [`${place}/SKILL.md`]: text });
  return path.join(root, place, 'SKILL.md');
}

export function skillFile(name: string, description: string, body = 'Do it well.\n'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}
