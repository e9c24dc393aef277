// Thinking that the API takes no more. It is signed together with all that stood before it, so a compaction, a tool
// that comes or goes, or another account makes it stale, and with it every later request of the session.

import type { Message } from './model.ts';

export interface StaleThinking {
  /** All the thinking in these messages. False when there is none that was not known as stale already. */
  add(messages: readonly Message[]): boolean;
  /** The same without it, and the very same where there is none. */
  removedFrom(messages: readonly Message[]): readonly Message[];
}

/** To be kept as long as the messages are sent: else the API refuses them once more each time. */
export function createStaleThinking(): StaleThinking {
  const stale = new Set<string>();
  const isStale = (block: Block) => stale.has(sealOf(block) ?? '');
  return {
    add(messages) {
      const before = stale.size;
      for (const seal of messages.flatMap(({ content }) => [...content]).map(sealOf)) {
        if (seal !== undefined) stale.add(seal);
      }
      return stale.size > before;
    },
    removedFrom(messages) {
      if (stale.size === 0) return messages;
      return messages.map((message) =>
        message.role === 'assistant' && message.content.some(isStale)
          ? { role: 'assistant', content: message.content.filter((block) => !isStale(block)) }
          : message,
      );
    },
  };
}

type Block = Message['content'][number];

/** What tells one thought from every other. Its words alone do not: most models hide them. */
function sealOf(block: Block): string | undefined {
  if (block.type === 'thinking') return `${block.signature}\n${block.thinking}`;
  return block.type === 'redacted_thinking' ? block.data : undefined;
}
