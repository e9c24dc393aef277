import assert from 'node:assert/strict';
import { silentLog } from '../../../src/base/log.ts';
import { recallMemories } from '../../../src/memory/recall/recall.ts';
import { planConsolidation } from '../../../src/memory/consolidation/consolidationPlan.ts';
import { applyConsolidation } from '../../../src/memory/consolidation/consolidation.ts';
import { asking, holdsValue } from '../../support/simulatedFacts.ts';
import { useTempFolder } from '../../support/tempFolder.ts';
import { liveThreeMonths, type Life } from '../../support/threeMonths.ts';
import {
  assertSound,
  assertWouldBeCalledTidy,
  outcomesOf,
} from '../../support/threeMonthsChecks.ts';

/** Chance decides when and how, and each kind of mistake is made with any. One life takes seven seconds or more. */
const SEED = 1;
/** Of a proposal that waits already, or that the person rejected. */
const NOT_KEPT = 'it was not kept for review';

/** What may become of each kind of mistake that is told from others by its name in the log. */
const OUTCOMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['quotes in other words', ['notSaid']],
  ['names an unknown type', ['unknownType']],
  ['names an unknown target', ['unknownTarget']],
  ['names an unknown operation', ['unknownOperation']],
  ['leaves out the text', ['missingField']],
  ['takes it for the task at hand', ['notPersistent']],
  ['keeps an exception', ['temporary']],
  ['keeps a secret', ['secret']],
  ['invents', ['notSaid']],
  ['invents, and quotes a request', ['proposed', 'unrelated', NOT_KEPT]],
  ['brings a command', ['unsaidCommand']],
  ['repeats an earlier turn', ['notSaid']],
  ["passes off the assistant's words", ['notSaid']],
  ["offers the assistant's words", ['notSaid', 'proposed', NOT_KEPT]],
  ['takes what was pasted', ['proposed', NOT_KEPT]],
  ['obeys what was pasted', ['proposed', 'unsaidCommand', NOT_KEPT]],
  ['adds what it was shown', ['duplicate', 'unrelated', 'unsaidCommand', 'temporary', 'notSaid']],
  ['words anew what is known', ['updated', 'proposed', 'duplicate', NOT_KEPT]],
  // Saved, and put right by consolidation.
  ['adds beside what it should correct', ['created', 'duplicate']],
  ['says in other words what is known', ['created', 'duplicate']],
]);

const NEVER = new AbortController().signal;

describe('three months with an imperfect model', () => {
  const folder = useTempFolder();

  it('end with memories that a person would call tidy', async function () {
    this.timeout(120_000);
    const life = await liveThreeMonths(folder.path, SEED, assertSound);
    await assertSound(life);
    await consolidateByCommand(life);
    await assertSound(life);
    await assertWouldBeCalledTidy(life);
    await assertNewestIsRecalled(life);
    assertStoppedAsNamed(life);
    if (process.env['FIGURES']) console.log(life.counts, life.model.asked, outcomesOf(life));
    life.window.close();
  });
});

/** The person looks through all of them once more, and leaves alone what they wrote themselves. */
async function consolidateByCommand({ window, model }: Life): Promise<void> {
  model.isAtItsBest = true;
  const { store } = window;
  const plan = await planConsolidation(
    { store, model, log: silentLog, now: () => window.now(), unattended: false },
    NEVER,
  );
  const picked = plan.changes.filter(({ handEdited }) => handEdited.length === 0);
  await applyConsolidation(picked, { store, log: silentLog, now: () => window.now() });
}

function assertStoppedAsNamed(life: Life): void {
  const outcomes = outcomesOf(life);
  for (const [kind, expected] of OUTCOMES) {
    const became = [...(outcomes.get(kind)?.keys() ?? [])];
    assert.notEqual(became.length, 0, `it never ${kind}`);
    assert.deepEqual(
      became.filter((outcome) => !expected.includes(outcome)),
      [],
      `it ${kind}`,
    );
  }
}

async function assertNewestIsRecalled({ window, person, model }: Life): Promise<void> {
  const { records } = await window.store.list();
  for (const [fact, value] of person.truth) {
    if (value === undefined) continue;
    const options = { records, dialogue: asking(fact), log: silentLog };
    for (const choosing of [undefined, model]) {
      const { recalled } = await recallMemories({ ...options, model: choosing }, NEVER);
      const texts = recalled.map(({ record }) => `${record.description}\n${record.body}`);
      assert.ok(
        texts.some((text) => holdsValue(text, value)),
        `asked for ${fact.id}, recalled ${JSON.stringify(texts)}`,
      );
    }
  }
}
