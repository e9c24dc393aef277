// What is needed to work on a session, and where in it something is to be done.

import type { Log } from '../base/log.ts';
import type { Archive } from '../context/archive.ts';
import type { Compactor } from '../context/compactor.ts';
import type { CompactionSettings } from '../context/policy.ts';
import type { LateAnswers } from '../memory/recall/lateAnswers.ts';
import type { Mode } from '../memory/mode.ts';
import type { ApproveRecall } from '../memory/recall/recallReview.ts';
import type { MemoryRecord } from '../memory/record.ts';
import type { Message, Model } from '../models/model.ts';
import type { TurnRef } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessionStore.ts';
import type { OpenMemory } from './learning/learning.ts';
import type { SeenFilesOfSessions } from './seenFiles.ts';
import type { SkillList } from './skills/skills.ts';
import type { Tool } from './tools.ts';

export interface SessionDeps {
  readonly sessions: SessionStore;
  readonly compactor: Compactor;
  readonly archive: Archive;
  /** Undefined when the workspace is not trusted. */
  readonly memory: OpenMemory | undefined;
  readonly seen: SeenFilesOfSessions;
  /** Those of the workspace. Without it there are none. */
  readonly skills?: () => Promise<SkillList>;
  readonly log: Log;
  readonly now: () => Date;
}

/** Where in a session something is to be done, and with what. */
export interface SessionRequest {
  /** The turn before this one in the chat. */
  readonly previous: TurnRef | undefined;
  /** The person's words of requests behind it that were cut off by a crash or a reload. */
  readonly unfinished: readonly string[];
  /** What the chat still shows of earlier turns, used when `previous` is not known any more. */
  readonly visibleHistory: readonly Message[];
  readonly model: Model;
  /** Answers the side questions. */
  readonly utilityModel: Model;
  readonly tools: readonly Tool[];
  readonly folders: readonly string[];
  readonly recall: Mode;
  /** Asks the person when `recall` is `review`. Without it nothing is sent then. */
  readonly approveRecall?: ApproveRecall;
  /** Of this window. Without it every turn waits for the model that chooses. */
  readonly lateAnswers?: LateAnswers;
  readonly extraction: Mode;
  readonly compaction: CompactionSettings;
}

export type Listing = () => Promise<readonly MemoryRecord[]>;

/** One look at the folder for all that needs the records at the start of a turn, made when it is first needed. */
export function sharedListing({ memory }: SessionDeps): Listing {
  let listing: ReturnType<Listing> | undefined;
  const list = async () => (memory ? (await memory.scopes.list()).records : []);
  return () => (listing ??= list());
}
