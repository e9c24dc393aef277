// How long ago something was, in the person's language.

import * as vscode from 'vscode';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From the largest, each with the least age that is told in it. */
const UNITS = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** Both in milliseconds since 1970. */
export function relativeTime(time: number, now: number): string {
  const age = now - time;
  if (age < MINUTE_MS) return vscode.l10n.t('just now');
  const format = new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto' });
  const [unit, length] = UNITS.find(([, least]) => age >= least) ?? ['minute', MINUTE_MS];
  return format.format(0 - Math.floor(age / length), unit);
}
