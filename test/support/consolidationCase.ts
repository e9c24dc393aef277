// Memories, and a change set for them with a change of each kind.

import { newRecord } from './records.ts';

export const RECORDS = [
  newRecord('tabs', 'Indent with tabs in every file.'),
  newRecord('indentation', 'Use tabs, never spaces.'),
  newRecord('spaces', 'Never indent with spaces.'),
  newRecord('port', 'The server listens on port 8080.'),
  newRecord('server', 'The server listens on 8080 behind nginx.'),
  newRecord('quotes', 'Use single quotes for strings.'),
  { ...newRecord('deadline', 'The release is on 3 May 2025.'), type: 'project' as const },
  newRecord('standup', 'The standup is at 9:30.'),
  newRecord('database', 'The database is PostgreSQL 16.'),
  newRecord('reviews', 'Reviews need two approvals.'),
];

export const CHANGES = {
  merge: [
    {
      ...newRecord('tabs', 'Indent with tabs in every file, never with spaces.'),
      files: ['tabs.md', 'indentation.md', 'spaces.md'],
      reason: 'They say the same.',
      dropped: [{ fact: 'indentation', reason: 'It is only the name.' }],
    },
    {
      ...newRecord('server', 'The server listens on port 8080 behind nginx.'),
      files: ['port.md', 'server.md'],
      reason: 'One says more.',
    },
  ],
  update: [
    {
      ...newRecord('quotes', 'Use single quotes for all strings.'),
      file: 'quotes.md',
      reason: 'Clearer.',
    },
  ],
  retire: [{ file: 'deadline.md', reason: 'It has passed.' }],
};

/** The bodies of all memories afterwards, by file. */
export const AFTERWARDS = {
  'database.md': 'The database is PostgreSQL 16.',
  'quotes.md': 'Use single quotes for all strings.',
  'reviews.md': 'Reviews need two approvals.',
  'server.md': 'The server listens on port 8080 behind nginx.',
  'standup.md': 'The standup is at 9:30.',
  'tabs.md': 'Indent with tabs in every file, never with spaces.',
};
