// Numbers as the person reads them, in their language.

import * as vscode from 'vscode';

/** Below it whole percents would show very different parts as the same. */
const SMALL_SHARE = 0.1;
/** A little is never shown as nothing. */
const LEAST_SHARE = 0.001;

export function figure(number: number): string {
  return new Intl.NumberFormat(vscode.env.language).format(Math.round(number));
}

/** `share` of 1 is all of it. */
export function percent(share: number): string {
  const maximumFractionDigits = share < SMALL_SHARE ? 1 : 0;
  const options = { style: 'percent', maximumFractionDigits } as const;
  return new Intl.NumberFormat(vscode.env.language, options).format(least(share));
}

/** For shares that stand below each other: each with one decimal. */
export function exactPercent(share: number): string {
  const options = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(vscode.env.language, options).format(least(share));
}

/** To the cent. */
export function dollars(amount: number): string {
  const options = { style: 'currency', currency: 'USD' } as const;
  return new Intl.NumberFormat(vscode.env.language, options).format(amount);
}

function least(share: number): number {
  return share > 0 ? Math.max(share, LEAST_SHARE) : share;
}
