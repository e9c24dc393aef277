// The transcript of a sub-agent's work, which grows with it: a crash loses nothing of it, and what does not stand in
// the answer can be looked up.

import type { Archive } from '../../context/archive.ts';
import type { Message } from '../../models/model.ts';
import type { SessionTurn } from '../../sessions/session.ts';

interface TranscribedTurn {
  /** Each message is in the transcript when `append` returns, unless it could not be written. */
  readonly turn: SessionTurn;
  /** The absolute path of the transcript, with all of it written. Rejects when it cannot be. */
  readonly written: () => Promise<string>;
}

/** The same turn with its first message. */
export async function transcribed(
  turn: SessionTurn,
  archive: Archive,
  first: Message,
): Promise<TranscribedTurn> {
  const save = () => archive.saveTranscript(turn.ref.sessionId, turn.entries());
  // What fails is tried again with the next message, and at the end, where the failure is told.
  const trySave = () => Promise.allSettled([save()]);
  turn.append(first);
  // It makes the folder; from here on each message is written at once.
  let saving = trySave();
  await saving;
  return {
    turn: {
      ...turn,
      append(message, working) {
        turn.append(message, working);
        saving = trySave();
      },
    },
    async written() {
      await saving;
      return save();
    },
  };
}
