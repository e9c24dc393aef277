// Folders for measurements. They are deleted when the program ends and not before: some disks make files slowly
// right after many were deleted.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folders: string[] = [];

process.once('exit', () => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true });
});

export function makeTempFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-bench-'));
  folders.push(folder);
  return folder;
}
