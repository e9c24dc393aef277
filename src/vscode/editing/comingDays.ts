// Days that a memory often holds until, as front matter writes them.

import * as vscode from 'vscode';

interface ComingDay {
  /** Year, month and day in the person's own time. */
  readonly date: string;
  readonly words: string;
}

export function comingDays(now: Date): readonly ComingDay[] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return [
    { date: dayText(new Date(year, month, day + 1)), words: vscode.l10n.t('tomorrow') },
    { date: dayText(new Date(year, month, day + 7)), words: vscode.l10n.t('in a week') },
    { date: dayText(inMonths(1, now)), words: vscode.l10n.t('in a month') },
    { date: dayText(inMonths(12, now)), words: vscode.l10n.t('in a year') },
  ];
}

/** A month that is too short for the day ends before it. */
function inMonths(months: number, now: Date): Date {
  const [year, month] = [now.getFullYear(), now.getMonth() + months];
  const lastDay = new Date(year, month + 1, 0).getDate();
  return new Date(year, month, Math.min(now.getDate(), lastDay));
}

function dayText(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
