// How a simulated model chooses from the catalogue of memories: what is named in the request, and now and then nonsense.

import { FACTS } from './simulatedFacts.ts';
import type { Mind } from './simulatedModel.ts';

const NONSENSE = 0.1;

export function recallAnswer(prompt: string, { random, errs, note }: Mind): unknown {
  const [dialogue = '', catalogue = ''] = prompt.split('\n\nCatalogue:\n');
  if (errs(NONSENSE)) {
    note({ kind: 'recall: nonsense' });
    return random.pick([
      { relevant: [9_999] },
      { relevant: [true, null] },
      { relevant: 'all' },
      { numbers: [0] },
    ]);
  }
  const asked = dialogue.toLowerCase();
  const labels = FACTS.map(({ label }) => label.toLowerCase()).filter((label) =>
    asked.includes(label),
  );
  const chosen = catalogue
    .toLowerCase()
    .split('\n')
    .flatMap((line) => {
      const number = Number(line.split(':', 1)[0]);
      return labels.some((label) => line.includes(label)) ? [number] : [];
    });
  // The last that is asked about counts most.
  return { relevant: random.chance(0.2) ? chosen.map(String) : chosen };
}
