// A session of 20 turns for counting what it costs: what the person asks, how many rounds each request takes, what
// the tools print, and the memories of the project, of which one to three bear on each request.

import { filled } from '../test/support/histories.ts';

interface ScriptedMemory {
  readonly name: string;
  readonly type: 'user' | 'feedback' | 'project' | 'reference';
  readonly description: string;
  readonly body: string;
}

interface ScriptedTurn {
  readonly words: string;
  /** By name. */
  readonly relevant: readonly string[];
}

export const TURNS: readonly ScriptedTurn[] = [
  turn('Add an endpoint that lists the invoices of a customer.', 'api-style', 'money-in-cents'),
  turn('Write the tests for it.', 'test-runner', 'no-mocks', 'test-names'),
  turn('The list should be paged, as the other lists are.', 'paging', 'api-style'),
  turn(
    'Two of the tests fail on the build server, but not here. Why?',
    'build-server',
    'time-zone',
  ),
  turn('Mend that, and tell me in a sentence what it was.', 'short-answers'),
  turn('Which of our endpoints still give amounts as floating point numbers?', 'money-in-cents'),
  turn('Change these too, with a migration for what is stored.', 'migrations', 'money-in-cents'),
  turn('Run the migration against a copy of the staging data.', 'staging-data', 'migrations'),
  turn('It is too slow. Do it in batches.', 'migrations', 'batch-size'),
  turn('Write down in the changelog what has changed.', 'changelog', 'english-only'),
  turn('Now the form for a new invoice: the due date is not checked.', 'form-library', 'time-zone'),
  turn('The message should be in German as well.', 'translations', 'formal-german'),
  turn('Rename dueDate to payableUntil everywhere.', 'naming', 'public-fields'),
  turn('Does anything outside of this repository read that field?', 'public-fields', 'consumers'),
  turn('Then keep the old name in the interface, and mark it as deprecated.', 'deprecation'),
  turn('Look at the log of last night: why did the export stop?', 'log-place', 'export-job'),
  turn('Try it again three times before it gives up.', 'retries', 'export-job'),
  turn('Add a metric for how often that happens.', 'metrics', 'naming'),
  turn('Is there anything left to do from the review of Monday?', 'review-list', 'short-answers'),
  turn('Make a commit of each of these changes.', 'commits', 'english-only', 'branch-names'),
];

export const MEMORIES: readonly ScriptedMemory[] = [
  memory('api-style', 'project', 'Endpoints are plural nouns and answer with an object', 1),
  memory('money-in-cents', 'project', 'Amounts are whole numbers of cents, never floats', 2),
  memory('test-runner', 'project', 'Tests run with node --test, one file at a time', 1),
  memory('no-mocks', 'feedback', 'No mocks of our own modules: use real temporary folders', 2),
  memory('test-names', 'feedback', 'A test is named by what it shows, in a sentence', 1),
  memory('paging', 'project', 'Lists are paged by a cursor, 50 entries a page', 2),
  memory('build-server', 'reference', 'The build server runs on UTC with two cores', 1),
  memory('time-zone', 'project', 'Days are those of Europe/Berlin, times are stored in UTC', 2),
  memory('short-answers', 'user', 'Wants short answers, without a list of what was done', 1),
  memory(
    'migrations',
    'project',
    'Each migration can be run twice and is undone by a second file',
    3,
  ),
  memory('staging-data', 'reference', 'How a copy of the staging data is made and deleted', 3),
  memory('batch-size', 'project', 'Batches hold 500 rows, since the replica lags behind', 1),
  memory('changelog', 'feedback', 'The changelog speaks of what a person sees, newest first', 1),
  memory('english-only', 'feedback', 'Code, comments and commits are in English', 1),
  memory('form-library', 'project', 'Forms check their fields by the schemas of the server', 2),
  memory('translations', 'project', 'Texts lie in locales, one file a language, keys by screen', 1),
  memory('formal-german', 'feedback', 'German texts address the person formally', 1),
  memory('naming', 'feedback', 'Names are whole words of the domain, no abbreviations', 1),
  memory('public-fields', 'project', 'Fields of the public interface are never renamed', 2),
  memory('consumers', 'reference', 'Who reads our interface: the shop, the ledger, the app', 2),
  memory('deprecation', 'project', 'What is deprecated stays for two releases', 1),
  memory('log-place', 'reference', 'Where the logs of each service are found', 1),
  memory('export-job', 'project', 'The export runs at two and must be done by five', 2),
  memory('retries', 'feedback', 'A retry waits twice as long each time, at most a minute', 1),
  memory('metrics', 'project', 'Metrics are counters with the name of the service in front', 1),
  memory('review-list', 'reference', 'The points of the last review and who takes which', 2),
  memory('commits', 'feedback', 'One idea a commit, in the imperative, with the reason', 1),
  memory('branch-names', 'project', 'Branches carry the number of the ticket', 1),
  memory('release-day', 'project', 'Releases are on Tuesday, never before a holiday', 1),
  memory('editor', 'user', 'Works with two spaces and a line width of 100', 1),
];

const ROUNDS = [3, 5, 2, 4, 6];
const RESULT_CHARS = [1_000, 1_400, 2_000, 3_000, 1_200, 2_600];

/** Rounds of tools before the answer. */
export function roundsOf(turn: number): number {
  return ROUNDS[turn % ROUNDS.length] ?? 0;
}

/** What a tool prints, by the number of the call in the session; `scale` times as much. */
export function printed(call: number, scale: number): string {
  return filled((RESULT_CHARS[call % RESULT_CHARS.length] ?? 0) * scale, `src/part${call}.ts`);
}

function turn(words: string, ...relevant: string[]): ScriptedTurn {
  return { words, relevant };
}

function memory(
  name: string,
  type: ScriptedMemory['type'],
  description: string,
  sentences: number,
): ScriptedMemory {
  const why = [
    `${description}.`,
    'That was agreed with the whole team in spring, after the other way had cost us two days.',
    'Where older code still does it differently it is changed when somebody works on it anyway.',
    'Ask before you make an exception, and write down why it was made.',
  ];
  return { name, type, description, body: why.slice(0, sentences + 1).join(' ') };
}
