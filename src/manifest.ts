// Every id and default that package.json also declares. A test compares the two, both ways.

/** Publisher and name, as VS Code joins them. */
export const EXTENSION_ID = 'memory-agent.memory-agent';

export const PARTICIPANT_ID = 'memory-agent.memory';
/** As a person writes it, behind an @. */
export const PARTICIPANT_NAME = 'memory';
export const SLASH_COMMANDS = [
  'remember',
  'recall',
  'forget',
  'consolidate',
  'compact',
  'context',
  'help',
] as const;
export type SlashCommand = (typeof SLASH_COMMANDS)[number];

export const VIEW_CONTAINER_ID = 'memoryAgent';
export const MEMORIES_VIEW_ID = 'memoryAgent.memories';
export const REVIEW_VIEW_ID = 'memoryAgent.review';
/** Set while proposed memories wait; menus and views in package.json test it. */
export const HAS_PROPOSALS_KEY = 'memoryAgent.hasProposals';
/** Set while the tree shows no more than what a search has found. */
export const IS_FILTERED_KEY = 'memoryAgent.isFiltered';
/** Set once there are memories; a step of the walkthrough ends with it. */
export const HAS_MEMORIES_KEY = 'memoryAgent.hasMemories';
/** Set once a model can be asked: a key is there, or one has answered. A step of the walkthrough ends with it. */
export const HAS_MODEL_KEY = 'memoryAgent.hasModel';
/** Below the id of the extension. */
export const WALKTHROUGH_ID = 'start';

/**
 * `contextValue` of a tree row, which the menus in package.json test. That of a record goes on with its flags:
 * `pinned` or `unpinned`; `personal`, or `workspace` with `shared` or `private`.
 */
export const TREE_CONTEXT = {
  record: 'memoryAgent.record',
  damaged: 'memoryAgent.damaged',
  group: 'memoryAgent.group',
  scope: 'memoryAgent.scope',
  proposal: 'memoryAgent.proposal',
} as const;

/** Of a shown text of a proposed memory; a menu in package.json tests it. */
export const PROPOSAL_SCHEME = 'memory-agent-proposal';

export const MODEL_VENDOR = 'memory-agent';

export const COMMANDS = {
  consolidate: 'memoryAgent.consolidate',
  newMemory: 'memoryAgent.newMemory',
  editMemory: 'memoryAgent.editMemory',
  deleteMemory: 'memoryAgent.deleteMemory',
  searchMemories: 'memoryAgent.searchMemories',
  clearSearch: 'memoryAgent.clearSearch',
  showInSidebar: 'memoryAgent.showInSidebar',
  refreshMemories: 'memoryAgent.refreshMemories',
  openIndex: 'memoryAgent.openIndex',
  renameMemory: 'memoryAgent.renameMemory',
  changeType: 'memoryAgent.changeType',
  pinMemory: 'memoryAgent.pinMemory',
  unpinMemory: 'memoryAgent.unpinMemory',
  moveToPersonal: 'memoryAgent.moveToPersonal',
  moveToWorkspace: 'memoryAgent.moveToWorkspace',
  copyMemory: 'memoryAgent.copyMemory',
  revealInExplorer: 'memoryAgent.revealInExplorer',
  shareWithGit: 'memoryAgent.shareWithGit',
  keepPrivate: 'memoryAgent.keepPrivate',
  restoreMemory: 'memoryAgent.restoreMemory',
  undoConsolidation: 'memoryAgent.undoConsolidation',
  undoLastChange: 'memoryAgent.undoLastChange',
  emptyTrash: 'memoryAgent.emptyTrash',
  healthCheck: 'memoryAgent.healthCheck',
  scanForSecrets: 'memoryAgent.scanForSecrets',
  retireExpired: 'memoryAgent.retireExpired',
  importMemories: 'memoryAgent.importMemories',
  exportMemories: 'memoryAgent.exportMemories',
  acceptProposal: 'memoryAgent.acceptProposal',
  rejectProposal: 'memoryAgent.rejectProposal',
  diffProposal: 'memoryAgent.diffProposal',
  acceptAllProposals: 'memoryAgent.acceptAllProposals',
  showLastNotice: 'memoryAgent.showLastNotice',
  saveRedacted: 'memoryAgent.saveRedacted',
  compactSession: 'memoryAgent.compactSession',
  deleteSessions: 'memoryAgent.deleteSessions',
  setApiKey: 'memoryAgent.setApiKey',
  showLog: 'memoryAgent.showLog',
  getStarted: 'memoryAgent.getStarted',
  tryInChat: 'memoryAgent.tryInChat',
} as const;
export type CommandKey = keyof typeof COMMANDS;

/** Settings below `memoryAgent.`, with the defaults that package.json declares. */
export const SETTINGS = {
  baseUrl: '',
  utilityModel: 'auto',
  recall: 'auto',
  extraction: 'auto',
  notices: 'notification',
  expireProjectAfterDays: 0,
  editorContext: 'selection',
  confirmCommands: 'always',
  maxRounds: 100,
  showUsage: false,
  prices: {},
  'context.maxTokens': 0,
  'context.maxMessages': 0,
  'sessions.keepDays': 180,
  'sessions.maxMegabytes': 500,
} as const;
export const SETTINGS_SECTION = 'memoryAgent';

/** The tools for every other agent in the editor, by the names with which they are referenced too. */
export const MEMORY_TOOLS = {
  recall: 'memoryRecall',
  save: 'memorySave',
} as const;

/** The agent's own tools, in the order in which a model is told of them; in package.json with the prefix. */
export const AGENT_TOOLS = [
  'read_file',
  'write_file',
  'edit_file',
  'glob',
  'grep',
  'bash',
  'compact',
  'search_history',
  'task',
  'todo_write',
  'save_memory',
  'search_memory',
  'load_skill',
] as const;
/** The agent's own tools stand in VS Code's one list of tools, hence the prefix. */
export const TOOL_PREFIX = 'memoryAgent_';

/** SecretStorage key of the Anthropic API key. */
export const API_KEY_SECRET = 'memoryAgent.anthropicApiKey';
