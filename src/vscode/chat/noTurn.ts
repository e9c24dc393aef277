// The mark of an answer for which no turn was begun. By itself, so that the start of a window need not read how a chat
// is read back.

/**
 * Metadata of the answer, as when there is no key or nothing was said. No model spoke there, so it is no part of the
 * conversation.
 */
export const NO_TURN = { noTurn: true };
