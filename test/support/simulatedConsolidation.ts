// How a simulated model consolidates: it merges what is about one fact, the newest winning, and what belongs together,
// retires what was taken back, and now and then answers with something that must not be done.

import * as z from 'zod/mini';
import { AREAS, notedAsTakenBack, statementsIn, type Fact } from './simulatedFacts.ts';
import type { Mind } from './simulatedModel.ts';

const Records = z.array(
  z.object({
    file: z.string(),
    name: z.string(),
    description: z.string(),
    type: z.string(),
    changed: z.string(),
    locked: z.optional(z.boolean()),
    body: z.string(),
  }),
);
type Shown = z.infer<typeof Records>[number];

interface Rewrite {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly body: string;
  readonly reason: string;
  readonly dropped: readonly { readonly fact: string; readonly reason: string }[];
}

interface Answer {
  readonly merge: readonly (Rewrite & { readonly files: readonly string[] })[];
  readonly update: readonly (Rewrite & { readonly file: string })[];
  readonly retire: readonly {
    readonly file: string;
    readonly reason?: string;
    readonly supersededBy?: string;
  }[];
}

const BAD = 0.5;

export function consolidationAnswer(prompt: string, mind: Mind): unknown {
  const start = prompt.indexOf('Memories:\n') + 'Memories:\n'.length;
  const end = prompt.indexOf('\n]', start);
  const records = Records.parse(JSON.parse(prompt.slice(start, end + 2)));
  const answer = goodAnswer(records);
  return mind.errs(BAD) ? spoilt(answer, records, mind) : answer;
}

function goodAnswer(records: readonly Shown[]): Answer {
  const answers = clusters(records).map(answerFor);
  return {
    merge: answers.flatMap(({ merge = [] }) => merge),
    update: answers.flatMap(({ update = [] }) => update),
    retire: answers.flatMap(({ retire = [] }) => retire),
  };
}

/** Records that have a fact in common, or whose facts belong to one area, all of them reachable from the first. */
function clusters(records: readonly Shown[]): readonly (readonly Shown[])[] {
  const left = new Set(records);
  const found: Shown[][] = [];
  for (const seed of left) {
    left.delete(seed);
    const cluster = [seed];
    for (const each of cluster) {
      const topics = topicsOf(each);
      const others = [...left].filter((other) =>
        topicsOf(other).some((topic) => topics.includes(topic)),
      );
      for (const other of others) left.delete(other);
      cluster.push(...others);
    }
    found.push(cluster);
  }
  return found;
}

function topicsOf(record: Shown): readonly string[] {
  return factsOf(record).map(({ id }) => areaOf(id) ?? id);
}

function areaOf(id: string): string | undefined {
  return [...AREAS].find(([, ids]) => ids.includes(id))?.[0];
}

function factsOf({ description, body }: Shown): readonly Fact[] {
  return [...new Set(statementsIn(`${description}\n${body}`).map(({ fact }) => fact))];
}

function answerFor(cluster: readonly Shown[]): Partial<Answer> {
  const facts = [...new Set(cluster.flatMap(factsOf))];
  if (facts.length === 0) return {};
  const locked = cluster.filter((record) => record.locked);
  const open = cluster.filter((record) => !record.locked);
  if (locked.length > 0) {
    const retire = open.flatMap((record) => {
      const holding = locked.find((other) =>
        factsOf(record).every((fact) => saysSame(record, other, fact)),
      );
      const reason = 'The locked memory says the same.';
      return holding ? [{ file: record.file, reason, supersededBy: holding.file }] : [];
    });
    return { retire };
  }

  const kept = facts.flatMap((fact) => newestLine(open, fact));
  const all = open.flatMap(({ description, body }) => [description, ...body.split('\n')]);
  if (kept.length === 0) {
    const reason = 'The person took it back.';
    return { retire: open.map(({ file }) => ({ file, reason })) };
  }
  const [first] = open;
  const isTidy = open.length === 1 && first && kept.length === first.body.split('\n').length;
  if (!first || isTidy) return {};
  const area = facts.map(({ id }) => areaOf(id)).find((id) => id !== undefined);
  const isList = area !== undefined && kept.length > 1;
  const lines = kept.map(({ line }) => (isList ? `- ${line}` : line));
  const rewrite = {
    name: area ?? `${first.type}-${facts[0]?.id}`,
    description: isList ? kept.map(({ fact }) => fact.label).join(', ') : (kept[0]?.line ?? ''),
    type: first.type,
    body: lines.join('\n'),
    reason: 'They are about the same.',
    dropped: all
      .filter((line) => !lines.includes(line))
      .map((fact) => ({ fact, reason: 'A newer memory says it, or corrects it.' })),
  };
  return open.length === 1
    ? { update: [{ ...rewrite, file: first.file }] }
    : { merge: [{ ...rewrite, files: open.map(({ file }) => file) }] };
}

/** What the memory changed last says of a fact; nothing when it says that it does not hold any more. */
function newestLine(
  records: readonly Shown[],
  fact: Fact,
): readonly { readonly fact: Fact; readonly line: string }[] {
  const told = records
    .toSorted((a, b) => (a.changed < b.changed ? 1 : a.changed > b.changed ? -1 : 0))
    .flatMap(({ body }) => body.split('\n').map((line) => line.replace(/^- /, '')))
    .find((line) => statementsIn(line).some((each) => each.fact === fact));
  return told === undefined || told === notedAsTakenBack(fact) ? [] : [{ fact, line: told }];
}

function saysSame(record: Shown, other: Shown, fact: Fact): boolean {
  const valuesOf = ({ description, body }: Shown) =>
    statementsIn(`${description}\n${body}`)
      .filter((each) => each.fact === fact)
      .map(({ value }) => value);
  return valuesOf(record).every((value) => valuesOf(other).includes(value));
}

/** The answer with something in it that must not be done; the same answer where there is nothing for it. */
function spoilt(answer: Answer, records: readonly Shown[], mind: Mind): unknown {
  const { random } = mind;
  const busy = new Set([
    ...answer.merge.flatMap(({ files }) => files),
    ...[...answer.update, ...answer.retire].map(({ file }) => file),
  ]);
  const free = random.shuffled(records.filter(({ file, locked }) => !busy.has(file) && !locked));
  const locked = random.shuffled(records).find((record) => record.locked);
  const [first, second] = free;
  const made = (kind: string, changes: unknown): unknown => {
    mind.note({ kind: `consolidation: ${kind}` });
    return changes;
  };
  const ways: [() => unknown, ...(() => unknown)[]] = [
    () =>
      made('names a file that is not there', {
        ...answer,
        retire: [{ file: 'no-such.md', reason: 'Old.' }],
      }),
    () =>
      made('retires all', {
        retire: records.map(({ file }) => ({ file, reason: 'Clean start.' })),
      }),
  ];
  if (locked) {
    const retire = [...answer.retire, { file: locked.file, reason: 'Of no use.' }];
    ways.push(() => made('retires what is locked', { ...answer, retire }));
  }
  if (first && second) {
    const merging = (text: string, more = {}) => ({
      ...answer,
      merge: [
        ...answer.merge,
        {
          files: [first.file, second.file],
          name: first.name,
          description: text,
          type: first.type,
          body: text,
          reason: 'They belong together.',
          ...more,
        },
      ],
    });
    ways.push(
      () => made('drops a fact silently', merging(first.body)),
      () =>
        made(
          'merges into something vague',
          merging('Several preferences of the person about their work and tools.'),
        ),
      () =>
        made('makes two changes to one file', {
          ...answer,
          retire: [
            { file: first.file, reason: 'A.' },
            { file: first.file, reason: 'B.' },
          ],
        }),
      () =>
        made('retires without a reason', {
          ...answer,
          retire: [...answer.retire, { file: first.file }],
        }),
      () =>
        made('gives two the same name', {
          ...answer,
          update: [...answer.update, { ...second, file: first.file, reason: 'Clearer.' }],
        }),
      () =>
        made('writes a secret', {
          ...answer,
          update: [
            ...answer.update,
            {
              file: first.file,
              name: first.name,
              description: first.description,
              type: first.type,
              reason: 'Complete.',
              body: `${first.body}\nToken: ${['gh', 'p_'].join('')}${'aB3dE6gH9'.repeat(4)}`,
            },
          ],
        }),
    );
  }
  return mind.inTurn('consolidation', ways)();
}
