// Starts what an end-to-end test needs: a VS Code server with the packaged extension, a browser, a window.
// A file of tests starts them once, since a start takes longer than all its steps.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import type { Browser, Locator } from 'playwright-core';

import { launchChromium } from '../../scripts/chromium.ts';
import { SCREENSHOTS, VSIX } from '../../scripts/places.ts';
import {
  installExtension,
  linkExtensions,
  startServerProcess,
  writeUserSettings,
  type RunningServer,
} from '../../scripts/serverProcess.ts';
import { Workbench } from './workbench.ts';

export interface SessionOptions {
  /** Folders of more extensions, e.g. helpers of a test. */
  readonly link?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Opens folders as ones that the person has not trusted. */
  readonly untrusted?: true;
  /** Of the extension's texts. VS Code's own stay English, as its language packs are not installed. */
  readonly language?: 'zh-cn';
  /** Of the windows, in pixels; 1400 by 900 when left out. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The extension host's environment, e.g. `ANTHROPIC_API_KEY`. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Session {
  /** Its `user-data` holds settings and logs. */
  readonly home: string;
  readonly server: RunningServer;
  readonly browser: Browser;
  /** Opens a window with a profile of its own on a folder, a .code-workspace file, or nothing. */
  openWindow(open: string | undefined): Promise<Workbench>;
  stop(): Promise<void>;
}

const SETTINGS = {
  'workbench.startupEditor': 'none',
  // As a modal the Settings editor would swallow F1.
  'workbench.editor.useModal': 'off',
  // Else a dialog asks before anything else can be done.
  'security.workspace.trust.startupPrompt': 'never',
};

export async function startSession(options: SessionOptions): Promise<Session> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-e2e-'));
  writeUserSettings(home, { ...SETTINGS, ...options.settings });
  linkExtensions(home, [installedExtension(), ...(options.link ?? [])]);
  const { env = {}, untrusted, language, viewport = { width: 1400, height: 900 } } = options;
  const server = await startServerProcess({ home, env, ...(untrusted ? { untrusted } : {}) });
  const browser = await launchChromium();
  return {
    home,
    server,
    browser,
    openWindow: async (open) => {
      // What moves is painted by the processor here, which the tests need themselves.
      const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
      if (language !== undefined) await context.addInitScript(speak, language);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const window = new Workbench(page, extensionIsThere);
      await window.open(server.windowUrl(open));
      return window;
    },
    stop: async () => {
      await browser.close();
      await server.stop();
      fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Of the package, which VS Code installs once for all sessions of this process: it takes as long as some tests. */
let installed: string | undefined;

function installedExtension(): string {
  installed ??= install();
  return installed;
}

function install(): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-agent-e2e-installed-'));
  process.once('exit', () => fs.rmSync(home, { recursive: true, force: true }));
  installExtension(home, VSIX);
  const [manifest] = fs.globSync(path.join(home, 'extensions', '*', 'package.json'));
  if (manifest === undefined) throw new Error(`${VSIX} was not installed.`);
  return path.dirname(manifest);
}

/** For `afterEach`: a picture of the window when the test failed, named after the test. */
export async function keepScreenshotOfFailure(
  test: Mocha.Runnable | undefined,
  window: Workbench | undefined,
): Promise<void> {
  if (test?.isFailed() !== true || window === undefined) return;
  fs.mkdirSync(SCREENSHOTS, { recursive: true });
  const name = test.fullTitle().replace(/[^\p{L}\p{N}]+/gu, '-');
  await window.screenshot(path.join(SCREENSHOTS, `${name}.png`));
}

/** Runs in the page: what VS Code would set when a language pack is installed. */
function speak(language: string): void {
  Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value: language });
}

function extensionIsThere(window: Workbench): Locator {
  return window.viewTab('Memory Agent');
}
