// The agent explores a real checkout of thousands of files: the packages that this project uses.

import assert from 'node:assert/strict';
import path from 'node:path';
import { runLoop } from '../../../src/agent/loop.ts';
import { diskWorkspace } from '../../support/diskWorkspace.ts';
import { createWorkspaceTools } from '../../../src/agent/workspaceTools.ts';
import { measure } from '../../../src/context/measure.ts';
import { userText, type ToolResultBlock, type ToolUseBlock } from '../../../src/models/model.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { contextWindowOf } from '../../support/contextWindows.ts';
import { call } from '../../support/conversation.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';

/** Of the largest answer that a tool gives, in characters. */
const RESULT_CAP = 51_000;
/** Of all that eight calls may bring into the history, in tokens. */
const HISTORY_CAP = 60_000;

describe('the agent on a checkout of thousands of files', function () {
  this.timeout(60_000);

  it('explores it without flooding the history', async () => {
    const { results, working } = await explore(path.resolve('node_modules'), [
      call('a', 'glob', { pattern: '**/*' }),
      call('b', 'glob', { pattern: '**/package.json' }),
      call('c', 'grep', { pattern: 'function', glob: '*.js' }),
      call('d', 'grep', { pattern: 'the', context: 5, glob: '*.md' }),
      call('e', 'read_file', { path: 'typescript/package.json' }),
      call('f', 'read_file', { path: '@types/node/fs.d.ts' }),
      call('g', 'read_file', { path: '@anthropic-ai/sdk' }),
      call('h', 'read_file', { path: 'no/such/file.ts' }),
    ]);
    const lengths = results.map((result) => textOf(result).length);
    assert.ok(Math.max(...lengths) <= RESULT_CAP, `a result of ${Math.max(...lengths)} characters`);
    assert.deepEqual(
      results.map((result) => result.is_error),
      [false, false, false, false, false, false, false, true],
    );
    const [files = '', packages = '', , , , long = ''] = results.map(textOf);
    assert.ok(Number(/\[(\d+) more/.exec(files)?.[1]) > 2_000, 'not a large checkout');
    assert.match(packages, /package\.json/);
    assert.match(long, /offset/, 'says how to read on');
    assert.ok(measure(working) <= HISTORY_CAP, `${measure(working)} tokens`);
  });

  it('sees nothing that git ignores', async () => {
    const { results } = await explore(path.resolve('.'), [
      call('a', 'glob', { pattern: '**/package.json' }),
      call('b', 'grep', { pattern: 'anthropic', ignore_case: true }),
    ]);
    const seen = results.map(textOf).join('\n');
    assert.match(seen, /^package\.json$/m);
    assert.doesNotMatch(seen, /^node_modules\//m);
  });
});

async function explore(folder: string, calls: readonly ToolUseBlock[]) {
  const tools = createWorkspaceTools({ workspace: diskWorkspace([folder]) });
  const turn = await new SessionStore().begin();
  turn.append(userText('What is in here?'));
  const model = scriptedModel([calls, 'Many things.']);
  const window = contextWindowOf(folder, { turn, model, tools });
  const outcome = await runLoop(
    { model, tools, turn, window, maxRounds: 10, emit: () => undefined },
    new AbortController().signal,
  );
  assert.deepEqual(outcome, { kind: 'completed' });
  const results = turn
    .log()
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .filter((block) => block.type === 'tool_result');
  return { results, working: turn.working() };
}

function textOf(result: ToolResultBlock): string {
  return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
