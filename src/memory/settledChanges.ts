// What changes mean for the memories together: no two of one name, and no fact that goes without a word. Looked at
// when a model has proposed them, and again when they are made, since a person may have picked some and others changed
// the memories meanwhile.

import type { PlannedChange, PlannedRewrite } from './changeSet.ts';
import type { CheckedChanges, RefusedChange } from './changeSetCheck.ts';
import { isNamedIn, lostStatements, readingOf, standsIn } from './facts.ts';
import type { Reading, Statement } from './facts.ts';
import { slugFor, type MemoryRecord } from './record.ts';

/** Enough to see what is meant, and to put right in one more answer. */
const MOST_NAMED = 30;

/** Those that can be made together. `records` are all there are. */
export function settledChanges(
  changes: readonly PlannedChange[],
  records: readonly MemoryRecord[],
): CheckedChanges {
  const refused: RefusedChange[] = [];
  let standing = changes;
  for (;;) {
    const bad = firstProblem(standing, records);
    if (!bad) return { changes: standing, refused };
    // One at a time: without it the others may be right, or no longer.
    standing = standing.filter((change) => change !== bad.change);
    refused.push(bad.refusal);
  }
}

function firstProblem(
  changes: readonly PlannedChange[],
  records: readonly MemoryRecord[],
): { readonly change: PlannedChange; readonly refusal: RefusedChange } | undefined {
  const touched = new Set(changes.flatMap(({ sources }) => sources.map(({ file }) => file)));
  const rest = records.filter(({ file }) => !touched.has(file));
  const names = new Set(rest.map(({ name }) => slugFor(name)));
  for (const change of changes) {
    const problem = (problem: string, lost?: readonly string[]) => {
      const files = change.sources.map(({ file }) => file);
      return { change, refusal: { files, problem, ...(lost && { lost }) } };
    };
    if (change.kind === 'retire') {
      const { supersededBy } = change;
      const retired = changes.some(
        (other) =>
          other.kind === 'retire' && other.sources.some(({ file }) => file === supersededBy?.file),
      );
      if (retired)
        return problem(`${supersededBy?.file}, which holds in its place, would be retired too.`);
      continue;
    }
    const { name } = change.fields;
    if (names.has(name)) return problem(`Two memories would be called ${name}.`);
    names.add(name);
    const lost = silentlyLost(change, { changes, rest });
    if (lost.length > 0) {
      const facts = lost.slice(0, MOST_NAMED);
      return problem('It would lose what the records say without naming it as dropped.', facts);
    }
  }
  return undefined;
}

/** The facts that stand neither in the new text nor in one that remains, and that are not named as dropped. */
function silentlyLost(
  change: PlannedRewrite,
  { changes, rest }: { changes: readonly PlannedChange[]; rest: readonly MemoryRecord[] },
): readonly string[] {
  const lost = lostIn(change);
  if (lost.length === 0) return [];
  const others = changes.filter((other) => other !== change);
  const remaining = [
    ...rest,
    ...others.flatMap((other) => (other.kind === 'retire' ? [] : [other.fields])),
  ];
  const dropped = change.dropped.map(({ fact }) => readingOf(fact));
  const facts = lost
    .filter((statement) => !remaining.some((text) => standsIn(statement, readingOfText(text))))
    .flatMap((statement) => statement.facts)
    .filter((fact) => !dropped.some((text) => isNamedIn(fact, text)));
  return [...new Set(facts.map(({ text }) => text))];
}

/** Looked at several times while others are left out. */
const lostByChange = new WeakMap<PlannedRewrite, readonly Statement[]>();
const readings = new WeakMap<Text, Reading>();

type Text = Pick<MemoryRecord, 'description' | 'body'>;

function lostIn(change: PlannedRewrite): readonly Statement[] {
  const known = lostByChange.get(change);
  if (known) return known;
  const { name } = change.fields;
  // A name says little, but a word of the sources may well have gone there.
  const lost = lostStatements(change.sources.map(textOf), `${name}\n${textOf(change.fields)}`);
  lostByChange.set(change, lost);
  return lost;
}

function readingOfText(text: Text): Reading {
  const known = readings.get(text) ?? readingOf(textOf(text));
  readings.set(text, known);
  return known;
}

function textOf({ description, body }: Text): string {
  return `${description}\n${body}`;
}
