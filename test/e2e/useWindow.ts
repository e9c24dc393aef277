// For a `describe`: one window on a fresh folder for all its tests, with a fake Messages API behind it.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {
  startFakeMessagesApi,
  type FakeMessagesApi,
  type FakeMessagesApiOptions,
} from '../support/fakeMessagesApi.ts';
import { keepScreenshotOfFailure, startSession, type SessionOptions } from './session.ts';
import type { Workbench } from './workbench.ts';

export interface UsedWindow {
  /** Absolute path of the open folder. It is there before the window is. */
  readonly workspace: string;
  readonly api: FakeMessagesApi;
  readonly window: Workbench;
  /** Of the profile: `user-data` in it holds settings and logs. */
  readonly home: string;
  /** One more window of the same person, with its chat ready. */
  readonly openWindow: (folder: string) => Promise<Workbench>;
}

export interface UseWindowOptions extends Omit<SessionOptions, 'env'> {
  readonly api?: FakeMessagesApiOptions;
  /** The key that the extension finds in its environment; none when left out. */
  readonly environmentKey?: string;
  /** Prepares the folder. */
  readonly fill?: (workspace: string) => void;
  /** What to open in the folder, e.g. a .code-workspace file; the folder itself when left out. */
  readonly open?: string;
  /** Waits in the open chat until this model can be used. */
  readonly chatModel?: string;
}

export function useWindow(options: UseWindowOptions): UsedWindow {
  const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-e2e-folder-'));
  const used: { -readonly [Key in keyof UsedWindow]?: UsedWindow[Key] } = {};
  let stop: (() => Promise<void>) | undefined;

  before(async () => {
    options.fill?.(workspace);
    const api = await startFakeMessagesApi(options.api);
    const key = options.environmentKey ?? '';
    const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: api.url };
    const session = await startSession({ ...options, env });
    stop = async () => {
      await session.stop();
      await api.close();
    };
    used.api = api;
    used.home = session.home;
    const { chatModel } = options;
    used.openWindow = async (open) => {
      const window = await session.openWindow(open);
      if (chatModel === undefined) return window;
      await window.chat.open();
      await window.chat.untilModel(chatModel);
      return window;
    };
    used.window = await used.openWindow(path.join(workspace, options.open ?? ''));
  });
  afterEach(async function () {
    await keepScreenshotOfFailure(this.currentTest, used.window);
  });
  after(async () => {
    await stop?.();
    fs.rmSync(workspace, { recursive: true, maxRetries: 5 });
  });

  const get = <Key extends keyof UsedWindow>(key: Key): UsedWindow[Key] => {
    const value = used[key];
    if (value === undefined) throw new Error(`The ${key} is there only while tests run.`);
    return value;
  };
  return {
    workspace,
    get api() {
      return get('api');
    },
    get window() {
      return get('window');
    },
    get home() {
      return get('home');
    },
    get openWindow() {
      return get('openWindow');
    },
  };
}
