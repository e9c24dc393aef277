// What is compacted, with what, and what comes of it.

import type { Said } from '../base/sentence.ts';
import type { Message, Model } from '../models/model.ts';
import type { Archive } from './archive.ts';
import type { OpenTodos } from './openTodos.ts';
import type { CompactionSettings } from './policy.ts';
import type { StageName } from './stage.ts';
import type { LoggedMessage } from './transcriptFile.ts';

export interface CompactionRequest {
  readonly sessionId: string;
  readonly modelId: string;
  /** The working history. */
  readonly messages: readonly Message[];
  /** The session's log, for its transcript. */
  readonly log: readonly LoggedMessage[];
  /** Estimated tokens of system prompt and tools. */
  readonly fixed: number;
  readonly limits: Model['limits'];
  readonly settings: CompactionSettings;
  readonly archive: Archive;
  /** Writes the summary. */
  readonly summariser: Model;
  /** Files that the agent wrote in this session, newest last. */
  readonly changedFiles: readonly string[];
  /** The agent's checklist, if there ever was one. Asked for only when messages leave. */
  readonly openTodos: () => OpenTodos | undefined;
  /** Names of the skills that the agent loaded in this session, newest last. */
  readonly loadedSkills: () => readonly string[];
  /**
   * Awaited with the whole working history before something of it is archived, so that what matters in it can be
   * saved in the words in which it was said. A failure is logged and holds nothing up.
   */
  readonly beforeLeaving: (messages: readonly Message[]) => Promise<void>;
}

/** A shorter history. Sizes are of the whole input, in tokens as the model counts them, by estimate. */
export interface Compaction {
  readonly messages: readonly Message[];
  /** Those that did something, in their order. */
  readonly stages: readonly StageName[];
  readonly before: number;
  readonly after: number;
  /** Absolute path of the transcript, or of one of the texts when no message has left. */
  readonly archive: string;
}

/** What came of the look at a history before it is sent. */
export interface CompactionOutcome {
  /** Undefined: the history stays as it is. */
  readonly compaction: Compaction | undefined;
  /** It is no use to go on, since what fills the window cannot be made smaller. Told once. */
  readonly hasGivenUp: boolean;
  /** Why something could not be archived and stays, in one sentence. */
  readonly problem?: Said;
}

export type DemandOutcome =
  | { readonly kind: 'compacted'; readonly compaction: Compaction }
  /** There is too little that a summary could replace. */
  | { readonly kind: 'nothing' }
  /** No summary came about, and the history was left as it is. `problem` is one sentence. */
  | { readonly kind: 'failed'; readonly problem: Said };
