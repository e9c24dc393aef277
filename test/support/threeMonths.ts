// Lives through three months of work with the assistant: what the person says, what they do with their own hands, and
// what another window writes meanwhile. Keeps what it takes to check the memories afterwards.

import { promises as fs } from 'node:fs';
import path from 'node:path';
import type { MemoryRecord } from '../../src/memory/record.ts';
import { FACTS, filled, statementsIn, type Fact } from './simulatedFacts.ts';
import { SimulatedModel } from './simulatedModel.ts';
import { BY_HAND, DAYS, SimulatedPerson, type SimulatedTurn } from './simulatedPerson.ts';
import { seededRandom } from './seededRandom.ts';
import { SimulatedWindow } from './simulatedWindow.ts';

export interface Life {
  readonly person: SimulatedPerson;
  readonly model: SimulatedModel;
  readonly window: SimulatedWindow;
  /** Texts of memories by the hashes of their files, all that ever stood there at the end of a turn. */
  readonly seen: Map<string, string>;
  /** Files that the person wrote or pinned, as they left them. */
  readonly own: Map<string, string>;
  /** Bodies of the proposals that the person rejected. */
  readonly rejected: Set<string>;
  readonly counts: { turns: number; reloads: number; repeated: number; proposed: number };
}

/** In the second and third week. */
const PINS_ON = 12;
const EDITS_ON = 14;
const DELETES_ON = 16;
const WRITTEN_MEANWHILE = [
  { day: 20, kind: 'extraction', id: BY_HAND.written[0] },
  { day: 40, kind: 'consolidation', id: BY_HAND.written[1] },
] as const;
/** So many turns. */
const HANDLED_AFTER = 20 * DELETES_ON;
const RELOADS = 0.02;

/** `weekly` is called on the last evening of each week, when all that was said has been looked at. */
export async function liveThreeMonths(
  folder: string,
  seed: number,
  weekly: (life: Life) => Promise<void>,
): Promise<Life> {
  const model = new SimulatedModel(seed);
  const life: Life = {
    person: new SimulatedPerson(seed),
    model,
    window: new SimulatedWindow(folder, model),
    seen: new Map(),
    own: new Map(),
    rejected: new Set(),
    counts: { turns: 0, reloads: 0, repeated: 0, proposed: 0 },
  };
  const random = seededRandom(seed);
  for (let day = 1; day <= DAYS; day++) {
    life.window.beginDay(day);
    const turns = life.person.day(day);
    for (const turn of turns) {
      // The last of a day only shows that what was left over is looked at.
      if (turn === turns.at(-1)) model.isAtItsBest = true;
      if (random.chance(RELOADS)) reload(life);
      await live(turn, life);
    }
    model.isAtItsBest = false;
    await handle(day, life);
    for (const said of model.missed.splice(0)) {
      life.counts.repeated++;
      life.person.sayAgain(said);
    }
    if (day % 7 === 0) {
      await weekly(life);
      await rejectProposals(life);
    }
  }
  model.isAtItsBest = true;
  for (const turn of life.person.saysAgain()) await live(turn, life);
  return life;
}

export function factOf(id: string): Fact {
  const fact = FACTS.find((each) => each.id === id);
  if (!fact) throw new Error(`There is no fact ${id}.`);
  return fact;
}

export function states({ description, body }: MemoryRecord, fact: Fact): boolean {
  return statementsIn(`${description}\n${body}`).some((each) => each.fact === fact);
}

function reload({ window, counts }: Life): void {
  window.reload();
  counts.reloads++;
}

async function live(turn: SimulatedTurn, life: Life): Promise<void> {
  const { person, model, window, counts } = life;
  counts.turns++;
  if (turn.ending === 'reloaded') counts.reloads++;
  const { isAtItsBest } = model;
  const says = turn.says?.fact.id;
  // What the person is about to handle must be there.
  if (
    counts.turns <= HANDLED_AFTER &&
    Object.values(BY_HAND)
      .flat()
      .some((id) => id === says)
  )
    model.isAtItsBest = true;
  person.heard(turn);
  const learned = await window.turn(turn);
  model.isAtItsBest = isAtItsBest;
  counts.proposed += learned?.proposed.length ?? 0;
  const undone = factOf(BY_HAND.undone);
  for (const change of learned?.saved ?? []) {
    if (!states(change.record, undone)) continue;
    // The person does not want it, and says so at the notice.
    await look(life);
    await window.store.undo(change);
    person.truth.set(undone, undefined);
  }
  const isAsBefore = learned && learned.saved.length + learned.consolidated.length === 0;
  if (!isAsBefore) await look(life);
}

/** Notes what stands in the memories now. */
async function look({ window, seen }: Life): Promise<void> {
  const { records } = await window.store.list();
  for (const { hash, description, body } of records) seen.set(hash, `${description}\n${body}`);
}

/** What the person does in the evening, in the tree and in an editor. */
async function handle(day: number, life: Life): Promise<void> {
  const { person, model, window } = life;
  if (day === PINS_ON) {
    const { record } = await window.store.update(await recordOf(BY_HAND.pinned, life), {
      pinned: true,
    });
    await keepOwn(record.path, life);
  }
  if (day === EDITS_ON) {
    const { path: file, hash } = await recordOf(BY_HAND.edited, life);
    // Written over by hand, and no copy made of it.
    life.seen.delete(hash);
    const text = await fs.readFile(file, 'utf8');
    await writeByHand(file, `${text}\n\nI  looked this up   myself.\n`, life);
    await window.store.refresh();
  }
  if (day === DELETES_ON) {
    await window.store.remove(await recordOf(BY_HAND.deleted, life), 'deleted');
    person.truth.set(factOf(BY_HAND.deleted), undefined);
  }
  const meanwhile = WRITTEN_MEANWHILE.find((each) => each.day === day);
  if (meanwhile) {
    const { kind, id } = meanwhile;
    model.meanwhile = { kind, work: () => writeInOtherWindow(factOf(id), life) };
  }
}

async function recordOf(id: string, { window }: Life): Promise<MemoryRecord> {
  const { records } = await window.store.list();
  const record = records.find((each) => states(each, factOf(id)));
  if (record) return record;
  throw new Error(`Nothing says ${id}.`);
}

async function writeInOtherWindow(fact: Fact, life: Life): Promise<void> {
  const [value = ''] = fact.values;
  const note = filled(fact.note, value);
  const text = `---\nname: ${fact.id}\ndescription: "${note}"\ntype: ${fact.type}\n---\n${note}\n`;
  await writeByHand(path.join(life.window.memoryFolder, `${fact.id}.md`), text, life);
  await life.window.otherStore().refresh();
  life.person.truth.set(fact, value);
}

async function writeByHand(file: string, text: string, life: Life): Promise<void> {
  await fs.writeFile(file, text);
  const now = life.window.now();
  await fs.utimes(file, now, now);
  await keepOwn(file, life);
}

async function keepOwn(file: string, { own }: Life): Promise<void> {
  own.set(file, await fs.readFile(file, 'utf8'));
}

async function rejectProposals({ window, rejected }: Life): Promise<void> {
  const { proposals } = window.store;
  for (const proposal of await proposals.list()) {
    rejected.add(proposal.fields.body);
    await proposals.reject(proposal);
  }
}
