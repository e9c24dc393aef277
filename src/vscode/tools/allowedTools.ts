// Which of the agent's tools a request may use: what the workspace, the trust in it and the settings allow.

import * as vscode from 'vscode';
import type { AgentTools } from '../../agent/agent.ts';
import type { Tool } from '../../agent/tools.ts';
import type { Mode } from '../../memory/mode.ts';
import { workspaceFolderPaths } from './editorWorkspace.ts';

interface MemoryModes {
  readonly recall: Mode;
  readonly extraction: Mode;
}

/**
 * What may be used now, in one order: over the workspace without a folder nothing, without trust in it only what
 * reads; over the conversation always everything; over the memories, in a trusted workspace, what the person lets
 * recall send and extraction save; skills, which are instructions, in a trusted folder.
 */
export function allowedTools(tools: AgentTools, modes: MemoryModes): readonly Tool[] {
  const { isTrusted } = vscode.workspace;
  const hasFolder = workspaceFolderPaths().length > 0;
  const ofWorkspace = tools.workspace.filter((tool) => isTrusted || tool.readOnly);
  // What the agent saves is of the folder: personal memories are what the person puts there.
  const saves = hasFolder && modes.extraction !== 'off';
  // What it finds is sent without a look at it.
  const searches = modes.recall === 'auto';
  const ofMemory = tools.memory.filter((tool) => (tool.readOnly ? searches : saves));
  return [
    ...(hasFolder ? ofWorkspace : []),
    ...tools.session,
    ...(isTrusted ? ofMemory : []),
    ...(isTrusted && hasFolder ? tools.skills : []),
  ];
}
