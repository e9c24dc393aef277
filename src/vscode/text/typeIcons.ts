// The icon of each type of memory.

import type { MemoryType } from '../../memory/record.ts';

export const TYPE_ICONS: Record<MemoryType, string> = {
  user: 'account',
  feedback: 'feedback',
  project: 'project',
  reference: 'link',
};
