// One conversation, and what each stage makes of it, as files to read: test/fixtures/transcripts.

import type { CompactionPolicy } from '../../../../src/context/policy.ts';
import type { Stage } from '../../../../src/context/stage.ts';
import { fit } from '../../../../src/context/stages/fit.ts';
import { mechanicalCut } from '../../../../src/context/stages/mechanicalCut.ts';
import { micro } from '../../../../src/context/stages/micro.ts';
import { snip } from '../../../../src/context/stages/snip.ts';
import { toolResultBudget } from '../../../../src/context/stages/toolResultBudget.ts';
import type { Message } from '../../../../src/models/model.ts';
import { userText } from '../../../../src/models/model.ts';
import { call, calls, results, says } from '../../../support/conversation.ts';
import { assertGolden } from '../../../support/goldenFile.ts';
import { filled } from '../../../support/histories.ts';
import { NEVER_ABORTED, stageInput } from '../../../support/stageInput.ts';
import { summariseStage, summaryAnswer } from '../../../support/summaries.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

/** The real numbers made small, so that the files can be read. */
const POLICY: Partial<CompactionPolicy> = {
  batchChars: 1_500,
  largePreviewChars: 200,
  maxMessages: 10,
  fitPreviewChars: 100,
};

const SUMMARY = summaryAnswer({
  goal: 'Mend the parser.',
  decisions: ['The tests of the parser stay as they are.'],
  files: [{ path: 'src/parse.ts', note: 'It was written anew.' }],
  remaining: ['Look at what is still red.'],
});

describe('golden transcripts', () => {
  const folder = useTempFolder();

  it('start from one conversation', () => assertGolden('transcripts/conversation', CONVERSATION));

  const stages: readonly Stage[] = [
    toolResultBudget,
    snip,
    micro,
    fit,
    mechanicalCut,
    summariseStage(SUMMARY),
  ];
  for (const stage of stages) {
    it(`show what becomes of it: ${stage.name}`, async () => {
      const input = stageInput({
        messages: CONVERSATION,
        root: folder.path,
        policy: POLICY,
        changedFiles: ['src/parse.ts'],
        said: ['Which tests are red?', 'Mend the parser, and leave its tests as they are.'],
      });
      const result = await stage.run(input, NEVER_ABORTED);
      assertGolden(`transcripts/${stage.name}`, result?.messages);
    });
  }
});

const IMAGE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
} as const;

const CONVERSATION: readonly Message[] = [
  userText('Which tests are red?'),
  calls(call('c1', 'run_command', { command: 'npm test' })),
  results(['c1', filled(700, 'npm test')]),
  says('Those of the parser.'),
  {
    role: 'user',
    content: [
      {
        type: 'context',
        text: 'Recalled: the parser is generated.',
        records: { 'parser.md': 'a1' },
      },
      { type: 'text', text: 'Mend the parser, and leave its tests as they are.' },
      IMAGE,
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'The generated file first.', signature: 'c2lnbmVk' },
      { type: 'text', text: 'Let me look.' },
      call('c2', 'read_file', { path: 'src/parse.ts' }),
      call('c3', 'read_file', { path: 'docs/parser.png' }),
    ],
  },
  results(['c2', filled(650, 'src/parse.ts')]),
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'c3',
        content: [{ type: 'text', text: filled(300, 'docs/parser.png') }, IMAGE],
        is_error: false,
      },
    ],
  },
  calls(call('c4', 'write_file', { path: 'src/parse.ts', content: filled(2_400, 'new parser') })),
  results(['c4', 'Written.']),
  calls(call('c5', 'run_command', { command: 'npm test' })),
  results(['c5', filled(400, 'second run')]),
  calls(call('c6', 'search', { words: 'parse(' }), call('c7', 'run_command', { command: 'ls -R' })),
  results(['c6', filled(900, 'found')], ['c7', filled(800, 'listed')]),
  { role: 'user', content: [{ type: 'context', text: 'A file changed.', records: {} }] },
];
