// Where the scripts and the end-to-end tests find things. Everything downloaded or made by a run is git-ignored.

import path from 'node:path';

export const ROOT = path.dirname(import.meta.dirname);
/** What is downloaded once and kept: VS Code, and what a failed run leaves for a look. */
export const CACHE = path.join(ROOT, '.vscode-test');
export const SCREENSHOTS = path.join(CACHE, 'screenshots');
export const BUILD = path.join(ROOT, 'build');
export const VSIX = path.join(BUILD, 'memory-agent.vsix');
