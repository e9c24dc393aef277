// What a person means by a date or a yes that is not written as it is read here.

import { isoDate } from '../fieldText.ts';

/** Year, month and day in this order, which is the only one that nobody reads in another way. */
const DAY = /^(\d{4})[-./年 ]{1,2}(\d{1,2})[-./月 ]{1,2}(\d{1,2})日?$/;

/** As an ISO day, or undefined where that would be a guess. */
export function meantDate(written: string): string | undefined {
  const [, year = '', month = '', day = ''] = DAY.exec(written.trim()) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isoDate(date) && isRealDay(date) ? date : undefined;
}

export function meantBoolean(written: string): boolean | undefined {
  const word = written.trim().toLowerCase();
  if (/^(?:true|yes|y|on|1|pinned|是)$/.test(word)) return true;
  return /^(?:false|no|n|off|0|null|unpinned|否)$/.test(word) ? false : undefined;
}

/** `Date` takes the 31st of June for the first of July. */
function isRealDay(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
