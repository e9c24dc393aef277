import assert from 'node:assert/strict';
import { compactSession } from '../../../src/agent/compactSession.ts';
import type { TurnEvent } from '../../../src/agent/events.ts';
import type { SessionRequest, SessionDeps } from '../../../src/agent/sessionDeps.ts';
import { SeenFilesOfSessions } from '../../../src/agent/seenFiles.ts';
import { silentLog } from '../../../src/base/log.ts';
import { Archive } from '../../../src/context/archive.ts';
import { Compactor } from '../../../src/context/compactor.ts';
import { ModelError, userText } from '../../../src/models/model.ts';
import { SessionStore } from '../../../src/sessions/sessionStore.ts';
import { UNSET } from '../../support/contextWindows.ts';
import { call, calls, results, says } from '../../support/conversation.ts';
import { scriptedModel, type Step } from '../../support/scriptedModel.ts';
import { summaryAnswer } from '../../support/summaries.ts';
import { useTempFolder } from '../../support/tempFolder.ts';

const NEVER = new AbortController().signal;
const SUMMARY = summaryAnswer({ done: ['Read the settings.'], facts: ['The port is 8421.'] });

describe('compacting a session between turns', () => {
  const folder = useTempFolder();

  async function setUp(steps: readonly Step[]) {
    const deps: SessionDeps = {
      sessions: new SessionStore(),
      compactor: new Compactor({ log: silentLog }),
      seen: new SeenFilesOfSessions(),
      archive: new Archive({ root: folder.path, pointers: 'relative' }),
      memory: undefined,
      log: silentLog,
      now: () => new Date('2026-03-04T05:06:07Z'),
    };
    const turn = await deps.sessions.begin({ request: 'Which port?' });
    turn.append(userText('Which port?'));
    turn.append(calls(call('a', 'read_file', { path: 'settings.json' })));
    turn.append(results(['a', '{"port":8421}'.padEnd(8_000, ' ')]));
    turn.append(says('It is 8421.'));
    turn.setSystemPrompt('frozen');
    turn.end();
    const events: TurnEvent[] = [];
    const request: SessionRequest & { focus: string } = {
      previous: turn.ref,
      unfinished: [],
      visibleHistory: [],
      model: scriptedModel(),
      utilityModel: scriptedModel(steps),
      tools: [],
      folders: [folder.path],
      recall: 'off',
      extraction: 'off',
      compaction: UNSET,
      focus: 'ports',
    };
    const run = (signal = NEVER) =>
      compactSession(deps, request, (event) => events.push(event), signal);
    return { deps, turn, events, run };
  }

  it('goes on from the summary in the next turn, while the log stays whole', async () => {
    const { deps, turn, events, run } = await setUp([SUMMARY]);
    const { ref, outcome } = await run();
    assert.equal(outcome.kind, 'compacted');
    assert.deepEqual(
      events.map(({ type }) => type),
      ['leaving', 'compacted'],
    );
    const next = await deps.sessions.begin({ previous: ref });
    assert.equal(next.ref.sessionId, turn.ref.sessionId);
    assert.deepEqual(next.log(), turn.log());
    assert.match(JSON.stringify(next.working()), /The port is 8421/);
    assert.deepEqual(next.working().at(-1), says('It is 8421.'));
    assert.equal(next.systemPrompt(), undefined);
    assert.deepEqual(next.lastCompaction()?.stages, ['summarise']);
  });

  it('changes nothing when no summary comes about', async () => {
    const { deps, turn, events, run } = await setUp([new ModelError('other', 'Out of order.')]);
    const { ref, outcome } = await run();
    assert.equal(outcome.kind, 'failed');
    assert.deepEqual(
      events.map(({ type }) => type),
      ['leaving'],
    );
    const next = await deps.sessions.begin({ previous: ref });
    assert.deepEqual(next.working(), turn.working());
    assert.equal(next.systemPrompt(), 'frozen');
  });

  it('can be stopped', async () => {
    const controller = new AbortController();
    const { run } = await setUp([
      () => {
        controller.abort();
        return SUMMARY;
      },
    ]);
    assert.deepEqual((await run(controller.signal)).outcome, { kind: 'cancelled' });
  });
});
