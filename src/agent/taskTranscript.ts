// The transcript of a sub-agent's work, which grows with it: a crash loses nothing of it, and what does not stand in
// the answer can be looked up.

import type { Archive } from '../context/archive.ts';
import type { SessionTurn } from '../sessions/session.ts';

interface TranscribedTurn {
  /** Writes each message that is appended to the transcript. */
  readonly turn: SessionTurn;
  /** The absolute path of the transcript, once all of it is written. Rejects when it cannot be. */
  readonly written: () => Promise<string>;
}

export function transcribed(turn: SessionTurn, archive: Archive): TranscribedTurn {
  const save = () => archive.saveTranscript(turn.ref.sessionId, turn.entries());
  let saving: Promise<unknown> = Promise.resolve();
  return {
    turn: {
      ...turn,
      append(message, working) {
        turn.append(message, working);
        // What fails is tried again with the next message, and at the end, where the failure is told.
        saving = Promise.allSettled([saving, save()]);
      },
    },
    async written() {
      await saving;
      return save();
    },
  };
}
