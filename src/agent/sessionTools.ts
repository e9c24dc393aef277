// The tools over the conversation itself, which need no folder: in the one order they are ever shown to a model.

import type { SessionStore } from '../sessions/sessionStore.ts';
import type { Tool } from './tools.ts';
import { createCompact } from './tools/compact.ts';
import { createSearchHistory } from './tools/searchHistory.ts';
import { createTask } from './tools/task.ts';
import { createTodoWrite } from './tools/todoWrite.ts';

export function createSessionTools(sessions: SessionStore): readonly Tool[] {
  return [createCompact(), createSearchHistory(sessions), createTask(), createTodoWrite()];
}
