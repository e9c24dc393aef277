// How long ago something was, in the person's language.

import * as vscode from 'vscode';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30 * DAY_MS;
const YEAR_MS = 365 * DAY_MS;

/** From the largest, each with the least age that is told in it. */
const UNITS = [
  ['year', YEAR_MS],
  ['month', MONTH_MS],
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

/**
 * The same in a few characters, for a row that has little room. No finer than hours, so that a row need not be made
 * anew more often.
 */
export function shortAge(time: number, now: number): string {
  const age = now - time;
  if (age < HOUR_MS) return vscode.l10n.t('now');
  if (age < DAY_MS) return vscode.l10n.t('{0}h', Math.floor(age / HOUR_MS));
  if (age < MONTH_MS) return vscode.l10n.t('{0}d', Math.floor(age / DAY_MS));
  if (age < YEAR_MS) return vscode.l10n.t('{0}mo', Math.floor(age / MONTH_MS));
  return vscode.l10n.t('{0}y', Math.floor(age / YEAR_MS));
}
