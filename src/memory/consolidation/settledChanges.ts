// What changes mean for the memories together: no two of one name, and no fact that goes without a word. Looked at
// when a model has proposed them, and again when they are made, since a person may have picked some and others changed
// the memories meanwhile.

import { sentence } from '../../base/sentence.ts';
import { inventedFacts, isNamedIn, lostStatements, readingOf, standsIn } from '../facts/facts.ts';
import type { Reading, Statement } from '../facts/facts.ts';
import { slugFor, type MemoryRecord } from '../record.ts';
import { writtenAt } from '../recordTime.ts';
import type { PlannedChange, PlannedRewrite } from './changeSet.ts';
import type { CheckedChanges, RefusedChange } from './changeSetCheck.ts';

/** Enough to see what is meant, and to put right in one more answer. */
const MOST_NAMED = 30;

/** Those that can be made together. `records` are all there are. */
export function settledChanges(
  changes: readonly PlannedChange[],
  records: readonly MemoryRecord[],
): CheckedChanges {
  const refused: RefusedChange[] = [];
  let outlook = outlookOf(changes, records);
  for (;;) {
    const before = refused.length;
    for (const change of outlook.changes) {
      const refusal = refusalOf(change, outlook, records);
      if (!refusal) continue;
      refused.push(refusal);
      // One at a time: without it the others may be right, or no longer.
      const others = outlook.changes.filter((other) => other !== change);
      outlook = outlookOf(others, records);
    }
    if (refused.length === before) return { changes: outlook.changes, refused };
  }
}

/** What there would be after some changes. */
interface Outlook {
  readonly changes: readonly PlannedChange[];
  /** The records that stay as they are. */
  readonly rest: readonly MemoryRecord[];
  readonly names: ReadonlySet<string>;
  /** The first change that leads to a name. */
  readonly named: ReadonlyMap<string, PlannedChange>;
  readonly retired: ReadonlySet<string>;
}

function outlookOf(changes: readonly PlannedChange[], records: readonly MemoryRecord[]): Outlook {
  const touched = new Set(changes.flatMap(({ sources }) => sources.map(({ file }) => file)));
  const rest = records.filter(({ file }) => !touched.has(file));
  const rewrites = changes.flatMap((change) => (change.kind === 'retire' ? [] : [change]));
  const retirements = changes.filter(({ kind }) => kind === 'retire');
  return {
    changes,
    rest,
    names: new Set(rest.map(({ name }) => slugFor(name))),
    named: new Map(rewrites.toReversed().map((change) => [change.fields.name, change])),
    retired: new Set(retirements.flatMap(({ sources }) => sources.map(({ file }) => file))),
  };
}

/** Undefined when it can be made with the others. */
function refusalOf(
  change: PlannedChange,
  outlook: Outlook,
  records: readonly MemoryRecord[],
): RefusedChange | undefined {
  const files = change.sources.map(({ file }) => file);
  if (change.kind === 'retire') {
    const file = change.supersededBy?.file;
    if (file === undefined || !outlook.retired.has(file)) return undefined;
    const problem = sentence`${file}, which holds in its place, would be retired too.`;
    return { files, problem };
  }
  const { name } = change.fields;
  if (outlook.names.has(name) || outlook.named.get(name) !== change)
    return { files, problem: sentence`Two memories would be called ${name}.` };
  const lost = silentlyLost(change, outlook).slice(0, MOST_NAMED);
  const loss = sentence`It would lose what the records say without naming it as dropped.`;
  if (lost.length > 0) return { files, problem: loss, lost };
  const invented = inventedIn(change, records).slice(0, MOST_NAMED);
  const problem = sentence`It holds a figure, a command or an address that no memory has.`;
  return invented.length > 0 ? { files, problem, invented } : undefined;
}

/** The facts that stand neither in the new text nor in one that remains, and that are not named as dropped. */
function silentlyLost(change: PlannedRewrite, { changes, rest }: Outlook): readonly string[] {
  const lost = lostIn(change);
  if (lost.length === 0) return [];
  const others = changes.filter((other) => other !== change);
  const remaining = [
    ...rest,
    ...others.flatMap((other) => (other.kind === 'retire' ? [] : [other.fields])),
  ];
  const dropped = change.dropped.map(({ fact }) => readingOf(fact));
  const facts = lost
    .filter((statement) => !remaining.some((text) => isSaidIn(text, statement)))
    .flatMap((statement) => statement.facts)
    .filter((fact) => !dropped.some((text) => isNamedIn(fact, text)));
  return [...new Set(facts.map(({ text }) => text))];
}

/** Looked at several times while others are left out. */
const lostByChange = new WeakMap<PlannedRewrite, readonly Statement[]>();
const readings = new WeakMap<Text, Reading>();
const namedReadings = new WeakMap<Text, Reading>();

const said = new WeakMap<Statement, WeakMap<Text, boolean>>();

type Text = Pick<MemoryRecord, 'description' | 'body'>;

function lostIn(change: PlannedRewrite): readonly Statement[] {
  const known = lostByChange.get(change);
  if (known) return known;
  const { name } = change.fields;
  // A name says little, but a word of the sources may well have gone there.
  const oldestFirst = change.sources.toSorted((a, b) => writtenAt(a) - writtenAt(b));
  const lost = lostStatements(oldestFirst.map(textOf), `${name}\n${textOf(change.fields)}`);
  lostByChange.set(change, lost);
  return lost;
}

/** Another memory may be what corrects this one. */
function inventedIn(
  { sources, fields }: PlannedRewrite,
  records: readonly MemoryRecord[],
): readonly string[] {
  // Nearly all stands in the sources, so that the others need seldom be read.
  const texts = [...sources, ...records];
  return inventedFacts(textOf(fields), (test) =>
    texts.some((record) => test(readingOfAll(record))),
  );
}

/** A name may say what is nowhere else. */
function readingOfAll(record: MemoryRecord): Reading {
  const known = namedReadings.get(record) ?? readingOf(`${record.name}\n${textOf(record)}`);
  namedReadings.set(record, known);
  return known;
}

function isSaidIn(text: Text, statement: Statement): boolean {
  const texts = said.get(statement) ?? new WeakMap<Text, boolean>();
  said.set(statement, texts);
  const known = texts.get(text) ?? standsIn(statement, readingOfText(text));
  texts.set(text, known);
  return known;
}

function readingOfText(text: Text): Reading {
  const known = readings.get(text) ?? readingOf(textOf(text));
  readings.set(text, known);
  return known;
}

function textOf({ description, body }: Text): string {
  return `${description}\n${body}`;
}
