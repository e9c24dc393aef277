// Takes the pictures of the README and of the walkthrough from the running product: `npm run screenshots`.
// With a folder as argument it also takes every other surface there, in all themes, for a person to look at.

import fs from 'node:fs';

import { takeLooks } from './pictures/looks.ts';
import { THEMES, type Theme } from './pictures/pictureWindow.ts';
import { takeStory } from './pictures/story.ts';
import { takeWalkthrough } from './pictures/walkthrough.ts';

const [looks] = process.argv.slice(2);
const themes = Object.keys(THEMES).filter(isTheme);

if (looks !== undefined) fs.mkdirSync(looks, { recursive: true });
for (const theme of looks === undefined ? (['light'] as const) : themes) {
  await takeStory(theme, looks);
}
for (const theme of themes) await takeWalkthrough(theme);
if (looks !== undefined) for (const theme of themes) await takeLooks({ theme, folder: looks });

function isTheme(name: string): name is Theme {
  return name in THEMES;
}
