// How far recall and extraction go by themselves: `review` asks the person first, `off` does nothing at all.

export const MODES = ['auto', 'review', 'off'] as const;
export type Mode = (typeof MODES)[number];
