// Finds the browser that shows VS Code's window in tests, and installs it where that is one command.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** With the fonts that Chinese text needs in screenshots. */
const DEBIAN_PACKAGES = ['chromium', 'fonts-noto-cjk'];

/** Quiet on the network, and able to run as root in a container. */
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser's path. Throws one sentence that says what to install when there is none. */
export function chromiumPath(): string {
  const found = findChromium();
  if (found) return found;
  if (canInstall()) {
    console.log('Installing Chromium…');
    for (const args of [
      ['update'],
      ['install', '-y', '--no-install-recommends', ...DEBIAN_PACKAGES],
    ])
      spawnSync('apt-get', ['-qq', ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
  }
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    'Chromium or Chrome is needed to show VS Code. Install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
  );
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: SWITCHES });
}

function findChromium(): string | undefined {
  const chosen = process.env['CHROMIUM_PATH'];
  return chosen ? chosen : USUAL_PLACES.find((place) => fs.existsSync(place));
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && fs.existsSync('/etc/debian_version');
}
