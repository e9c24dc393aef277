import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { compactSession } from '../../../../src/agent/compactSession.ts';
import type { Learned } from '../../../../src/agent/learning/learned.ts';
import { Learning } from '../../../../src/agent/learning/learning.ts';
import type { SessionDeps } from '../../../../src/agent/sessionDeps.ts';
import { SeenFilesOfSessions } from '../../../../src/agent/seenFiles.ts';
import { runTurn, type TurnRequest } from '../../../../src/agent/turn.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { Archive } from '../../../../src/context/archive.ts';
import { Compactor } from '../../../../src/context/compactor.ts';
import type { Mode } from '../../../../src/memory/mode.ts';
import { MemoryStore } from '../../../../src/memory/store.ts';
import {
  messageText,
  ModelError,
  userText,
  type ModelRequest,
} from '../../../../src/models/model.ts';
import { SESSIONS_FILE, SessionStore } from '../../../../src/sessions/sessionStore.ts';
import { UNSET } from '../../../support/contextWindows.ts';
import { call, fakeTool } from '../../../support/conversation.ts';
import { scopesOf } from '../../../support/scopes.ts';
import { scriptedModel, type Step } from '../../../support/scriptedModel.ts';
import { useTempFolder } from '../../../support/tempFolder.ts';

const CUT = new ModelError('network', 'The connection was cut.');
const REFUSED = new ModelError('refused', 'The model declined to answer.');
const NOTHING = '{"operations":[]}';

describe('what a session teaches', () => {
  const folder = useTempFolder();
  const opened: { close: () => void }[] = [];
  afterEach(() => {
    for (const each of opened.splice(0)) each.close();
  });

  /** A window over the one database and the one folder of memories, with the side questions answered by `side`. */
  function openWindow(side: readonly Step[] = [], patienceMs = 60_000) {
    const store = new MemoryStore({ folder: path.join(folder.path, '.memory'), log: silentLog });
    const scopes = scopesOf(store);
    const sessions = new SessionStore({ file: path.join(folder.path, SESSIONS_FILE) });
    const later: Learned[] = [];
    const warnings: string[] = [];
    const timers: { minutes: number; fire: () => void; isCalledOff: boolean }[] = [];
    const setting: { mode: Mode } = { mode: 'auto' };
    const learning = new Learning({
      scopes,
      log: { ...silentLog, warn: (line: string) => warnings.push(line) },
      sessions,
      mode: () => setting.mode,
      onLearnedLater: (learned) => later.push(learned),
      patienceMs,
      after(ms, fire) {
        const timer = { minutes: ms / 60_000, fire, isCalledOff: false };
        timers.push(timer);
        return () => (timer.isCalledOff = true);
      },
    });
    const deps: SessionDeps = {
      sessions,
      compactor: new Compactor({ log: silentLog }),
      seen: new SeenFilesOfSessions(),
      archive: new Archive({ root: folder.path, pointers: 'relative' }),
      memory: { scopes, learning },
      log: silentLog,
      now: () => new Date('2026-03-04T05:06:07Z'),
    };
    const utilityModel = scriptedModel(side);
    const request = {
      previous: undefined,
      unfinished: [],
      visibleHistory: [],
      compaction: UNSET,
      model: scriptedModel(),
      utilityModel,
      tools: [],
      folders: [folder.path],
      recall: 'off',
      extraction: 'auto',
      maxRounds: 10,
    } as const;
    const controller = new AbortController();
    const turn = (
      text: string,
      more: Partial<TurnRequest> = {},
      answers: readonly Step[] = ['1'],
    ) =>
      runTurn(
        deps,
        { ...request, text, model: scriptedModel(answers), ...more },
        () => undefined,
        controller.signal,
      );
    const window = {
      store,
      scopes,
      sessions,
      learning,
      deps,
      request,
      utilityModel,
      later,
      warnings,
      timers,
      setting,
      controller,
      turn,
      catchUp: () => learning.catchUp({ model: utilityModel, mode: 'auto' }),
      /** Until all is done that was queued before. */
      async settled() {
        await learning.applyConsolidation(store, [], 'none');
        await new Promise(setImmediate);
      },
      /** As a reload ends it. */
      close() {
        learning.dispose();
        sessions.close();
      },
    };
    opened.push(window);
    return window;
  }

  it('is looked at by the next window, once, when a reload cuts off the extraction', async () => {
    const asked = Promise.withResolvers<void>();
    const first = openWindow([
      () => {
        asked.resolve();
        return new Promise<string>(() => undefined);
      },
    ]);
    const { learning } = await first.turn('I always use tabs.');
    await asked.promise;
    first.close();
    assert.deepEqual(namesOf(await learning), []);
    const second = openWindow([saving('I always use tabs')]);
    assert.deepEqual(namesOf(await second.catchUp()), ['i-always-use-tabs']);
    second.close();
    const third = openWindow();
    await third.catchUp();
    third.utilityModel.assertDone();
  });

  it('is looked at by the next window, once, when a reload cuts off the turn', async () => {
    const asked = Promise.withResolvers<void>();
    const first = openWindow();
    const cutOff = first.turn('I always use tabs.', {}, [
      () => {
        asked.resolve();
        return new Promise<string>(() => undefined);
      },
    ]);
    await asked.promise;
    first.close();
    const second = openWindow([saving('I always use tabs'), NOTHING]);
    assert.deepEqual(namesOf(await second.catchUp()), ['i-always-use-tabs']);
    // The chat goes on from it.
    const next = await second.turn('What else is there?', { unfinished: ['I always use tabs.'] });
    assert.deepEqual(namesOf(await next.learning), []);
    assert.match(JSON.stringify(second.utilityModel.requests[1]?.messages), /earlier/);
    second.utilityModel.assertDone();
    first.controller.abort();
    await cutOff;
  });

  it('is looked at again after 1, 5 and 25 minutes, and told then', async () => {
    const window = openWindow([CUT, CUT, CUT, saving('I always use tabs')]);
    await (
      await window.turn('I always use tabs.')
    ).learning;
    for (const minutes of [1, 5, 25]) {
      const timer = window.timers.at(-1);
      assert.equal(timer?.minutes, minutes);
      timer?.fire();
      await window.settled();
    }
    assert.deepEqual(window.later.map(namesOf), [['i-always-use-tabs']]);
    assert.equal(window.timers.length, 3);
    window.utilityModel.assertDone();
  });

  it('is left to the next turn of the session after five attempts, and to the next window', async () => {
    const window = openWindow(Array.from({ length: 5 }, () => CUT));
    const { ref, learning } = await window.turn('I always use tabs.');
    await learning;
    for (let count = 1; count < 5; count++) {
      assert.equal(window.timers.length, count);
      window.timers.at(-1)?.fire();
      await window.settled();
    }
    assert.equal(window.timers.length, 4);
    // Of another session: it is not tried again.
    window.utilityModel.push(NOTHING);
    await (
      await window.turn('Where is the port set?')
    ).learning;
    window.utilityModel.assertDone();
    window.utilityModel.push(saving('I always use tabs'));
    const next = await window.turn('What else is there?', { previous: ref });
    assert.deepEqual(namesOf(await next.learning), ['i-always-use-tabs']);
    assert.deepEqual(await openWindow().sessions.unlearned(), []);
  });

  it('is given up when the model refuses it three times, and holds up no other until then', async () => {
    const window = openWindow([REFUSED, REFUSED, CUT, REFUSED, saving('I always use pnpm')]);
    for (const words of ['I always use tabs.', 'I always use pnpm.']) {
      const { learning } = await window.turn(words);
      await learning;
    }
    assert.equal((await window.sessions.unlearned()).length, 2);
    window.timers.at(-1)?.fire();
    await window.settled();
    assert.deepEqual(window.later.map(namesOf), [['i-always-use-pnpm']]);
    assert.deepEqual(await window.sessions.unlearned(), []);
    assert.equal(window.timers.length, 2);
    assert.deepEqual(window.warnings, [
      '[learning] What was said in a turn is given up: the model refused it again and again.',
    ]);
    window.utilityModel.assertDone();
  });

  it('is looked at in the order in which it was said, and told in one notice', async () => {
    const window = openWindow([CUT, saving('I always use tabs'), saving('I always use pnpm')]);
    await (
      await window.turn('I always use tabs.')
    ).learning;
    const { learning } = await window.turn('I always use pnpm.');
    assert.deepEqual(namesOf(await learning), ['i-always-use-tabs', 'i-always-use-pnpm']);
    assert.ok(window.timers.every(({ isCalledOff }) => isCalledOff));
    window.utilityModel.assertDone();
  });

  it('does not wait for what was left over longer than for one answer', async () => {
    const window = openWindow([CUT, CUT, CUT]);
    await (
      await window.turn('I always use tabs.')
    ).learning;
    // Each tries the oldest once more, then itself.
    await (
      await window.turn('I always use spaces.')
    ).learning;
    window.utilityModel.push(CUT, saving('I always use pnpm'));
    const { learning } = await window.turn('I always use pnpm.');
    assert.deepEqual(namesOf(await learning), ['i-always-use-pnpm']);
    window.utilityModel.assertDone();
  });

  it('is told with its own turn when several have ended before it is looked at', async () => {
    const gate = Promise.withResolvers<string>();
    const window = openWindow([
      () => gate.promise,
      saving('I always use pnpm'),
      saving('I always use vim'),
    ]);
    const first = await window.turn('I always use tabs.');
    const second = await window.turn('I always use pnpm.');
    const third = await window.turn('I always use vim.');
    gate.resolve(saving('I always use tabs'));
    const told = [first, second, third].map(async ({ learning }) => namesOf(await learning));
    assert.deepEqual(await Promise.all(told), [
      ['i-always-use-tabs'],
      ['i-always-use-pnpm'],
      ['i-always-use-vim'],
    ]);
  });

  it('is nothing where no folder is open, also later', async () => {
    const window = openWindow([CUT]);
    const left = await window.turn('I always use pnpm.');
    await left.learning;
    window.scopes.setWorkspace([]);
    await window.catchUp();
    window.utilityModel.assertDone();
    for (const turn of await window.sessions.unlearned()) turn.markLearned();
    assert.equal((await window.turn('I always use tabs.')).learning, undefined);
    assert.deepEqual(await window.sessions.unlearned(), []);
  });

  it('is not sent later when extraction was off, or is off by then', async () => {
    const window = openWindow([CUT, NOTHING]);
    const off = await window.turn('I always use tabs.', { extraction: 'off' });
    // Nor the answer to it.
    assert.equal((await window.sessions.begin({ previous: off.ref })).learned(), 2);
    await (
      await window.turn('I always use spaces.')
    ).learning;
    window.setting.mode = 'off';
    window.timers.at(-1)?.fire();
    await window.settled();
    await (
      await window.turn('I always use pnpm.')
    ).learning;
    assert.equal(window.utilityModel.requests.length, 2);
    assert.match(JSON.stringify(window.utilityModel.requests[1]?.messages), /pnpm/);
  });

  it('is not looked at later when the turn is cut off while extraction is off', async () => {
    const asked = Promise.withResolvers<void>();
    const first = openWindow();
    const cutOff = first.turn('I always use tabs.', { extraction: 'off' }, [
      () => {
        asked.resolve();
        return new Promise<string>(() => undefined);
      },
    ]);
    await asked.promise;
    first.close();
    assert.deepEqual(await openWindow().sessions.unlearned(), []);
    first.controller.abort();
    await cutOff;
  });

  it('is given up with what was left over as soon as a turn is asked with extraction off', async () => {
    const window = openWindow([CUT]);
    await (
      await window.turn('I always use tabs.')
    ).learning;
    await window.turn('I always use spaces.', { extraction: 'off' });
    await window.catchUp();
    window.utilityModel.assertDone();
    assert.deepEqual(await window.sessions.unlearned(), []);
  });

  it('is looked at once when a request is sent again', async () => {
    const window = openWindow([CUT, saving('I always use tabs')]);
    await (
      await window.turn('I always use tabs.', {}, [CUT])
    ).learning;
    const { learning } = await window.turn('I always use tabs.');
    assert.deepEqual(namesOf(await learning), ['i-always-use-tabs']);
    await window.catchUp();
    window.utilityModel.assertDone();
  });

  it('is looked at once, word for word, when an older request is edited', async () => {
    const window = openWindow([CUT, CUT, NOTHING]);
    const first = await window.turn('I always use tabs.');
    await first.learning;
    const edited = await window.turn('Where is the port?', { previous: first.ref });
    await edited.learning;
    window.utilityModel.push(NOTHING);
    await (
      await window.turn('Where is the host?', { previous: first.ref })
    ).learning;
    assert.deepEqual(window.utilityModel.requests.slice(2).map(newWordsIn), [
      ['I always use tabs.', 'Where is the port?'],
      ['Where is the host?'],
    ]);
    window.utilityModel.assertDone();
  });

  it('is not looked at when another window has done so meanwhile', async () => {
    const first = openWindow([CUT]);
    const { ref, learning } = await first.turn('I always use tabs.');
    await learning;
    const second = openWindow([saving('I always use tabs')]);
    await second.catchUp();
    first.timers.at(-1)?.fire();
    await first.settled();
    first.utilityModel.push(NOTHING);
    const next = await first.turn('What else is there?', { previous: ref });
    await next.learning;
    assert.deepEqual(newWordsIn(first.utilityModel.requests[1]), ['What else is there?']);
    first.utilityModel.assertDone();
  });

  it('goes to review where the person wants that', async () => {
    const window = openWindow([saving('I always use tabs')]);
    const { learning } = await window.turn('I always use tabs.', { extraction: 'review' });
    const learned = await learning;
    assert.deepEqual(learned?.saved, []);
    assert.deepEqual(
      learned?.proposed.map(({ fields }) => fields.name),
      ['i-always-use-tabs'],
    );
  });

  describe('before a compaction', () => {
    const OVERFLOW = new ModelError('overflow', 'prompt is too long');
    const tools = [fakeTool('read_file', async () => 'x'.repeat(20_000), { readOnly: true })];
    const READING = [call('a', 'read_file', { path: 'x' })];

    it('is looked at before anything leaves, and told with the turn', async () => {
      const window = openWindow([saving('I always use tabs')]);
      let files: readonly string[] = [];
      const archive = new Proxy(window.deps.archive, {
        get(target, key) {
          if (key !== 'saveTranscript') return Reflect.get(target, key).bind(target);
          return async (...given: Parameters<Archive['saveTranscript']>) => {
            files = (await window.store.list()).records.map(({ name }) => name);
            return target.saveTranscript(...given);
          };
        },
      });
      const result = await runTurn(
        { ...window.deps, archive },
        {
          ...window.request,
          text: 'I always use tabs. Tidy up x.',
          tools,
          model: scriptedModel([READING, OVERFLOW, 'Done.']),
        },
        () => undefined,
        window.controller.signal,
      );
      assert.deepEqual(files, ['i-always-use-tabs']);
      assert.deepEqual(namesOf(await result.learning), ['i-always-use-tabs']);
      window.utilityModel.assertDone();
    });

    it('is not waited for longer than some seconds, and told all the same', async () => {
      const gate = Promise.withResolvers<string>();
      const window = openWindow([() => gate.promise], 5);
      const answers = [READING, OVERFLOW, 'Done.'];
      const result = await window.turn('I always use tabs. Tidy up x.', { tools }, answers);
      assert.deepEqual(result.outcome, { kind: 'completed' });
      gate.resolve(saving('I always use tabs'));
      assert.deepEqual(namesOf(await result.learning), ['i-always-use-tabs']);
      window.utilityModel.assertDone();
    });

    it('holds up no turn when it fails, and is looked at after it', async () => {
      const window = openWindow([CUT, saving('I always use tabs')]);
      const answers = [READING, OVERFLOW, 'Done.'];
      const result = await window.turn('I always use tabs. Tidy up x.', { tools }, answers);
      assert.deepEqual(result.outcome, { kind: 'completed' });
      assert.deepEqual(namesOf(await result.learning), ['i-always-use-tabs']);
    });

    it('asks nothing when the words hold nothing, or when nothing is to be learned', async () => {
      const answers = [READING, OVERFLOW, 'Done.'];
      const window = openWindow();
      await (
        await window.turn('Go on.', { tools }, answers)
      ).learning;
      const more = { tools, extraction: 'off' } as const;
      await (
        await window.turn('I always use tabs.', more, answers)
      ).learning;
      assert.deepEqual(window.utilityModel.requests, []);
    });

    it('leaves alone when another turn is tried again', async () => {
      const window = openWindow([CUT, saving('I always use pnpm')]);
      const left = await window.turn('I always use tabs.');
      await left.learning;
      const asked = await window.sessions.begin({ request: 'I always use pnpm.' });
      asked.append(userText('I always use pnpm.'));
      const request = { turn: asked, model: window.utilityModel, mode: 'auto' } as const;
      await window.learning.lookBeforeLeaving(request, window.controller.signal);
      assert.deepEqual(
        window.timers.map(({ minutes, isCalledOff }) => [minutes, isCalledOff]),
        [[1, false]],
      );
      window.utilityModel.assertDone();
    });

    it('does not wait for another turn when the words hold nothing', async () => {
      const window = openWindow([() => new Promise<string>(() => undefined)]);
      await window.turn('I always use tabs.');
      const answers = [READING, OVERFLOW, 'Done.'];
      const { outcome } = await window.turn('Go on.', { tools }, answers);
      assert.deepEqual(outcome, { kind: 'completed' });
    });

    it('is looked at when the person asks for the compaction, and told then', async () => {
      const window = openWindow([CUT, saving('I always use tabs'), CUT]);
      const { ref, learning } = await window.turn('I always use tabs.', { tools }, [
        READING,
        'Done.',
      ]);
      await learning;
      const request = { ...window.request, previous: ref, focus: '' };
      const { signal } = window.controller;
      await compactSession(window.deps, request, () => undefined, signal);
      assert.deepEqual(window.later.map(namesOf), [['i-always-use-tabs']]);
      assert.deepEqual(await window.sessions.unlearned(), []);
    });

    it('is not waited for when the person stops the turn', async () => {
      const window = openWindow([
        () => {
          window.controller.abort();
          return new Promise<string>(() => undefined);
        },
      ]);
      const answers = [READING, OVERFLOW];
      const { outcome } = await window.turn('I always use tabs.', { tools }, answers);
      assert.deepEqual(outcome, { kind: 'cancelled' });
    });
  });
});

function namesOf(learned: Learned | undefined): readonly string[] {
  return learned?.saved.map(({ record }) => record.name) ?? [];
}

/** The words of the person in a question that are new in it. */
function newWordsIn(request: ModelRequest | undefined): readonly string[] {
  const [, dialogue = '[]'] = messageText(request?.messages[0] ?? userText('')).split(
    'oldest first:\n',
  );
  const spoken = JSON.parse(dialogue) as { from: string; text: string; earlier?: true }[];
  return spoken
    .filter(({ from, earlier }) => from === 'person' && !earlier)
    .map(({ text }) => text);
}

function saving(quote: string): string {
  const operation = {
    op: 'add',
    name: quote.toLowerCase().replaceAll(' ', '-'),
    description: quote,
    type: 'user',
    body: `${quote}.`,
    scope: 'persistent',
    quote,
  };
  return JSON.stringify({ operations: [operation] });
}
