// The line on what an answer took, where the person asked for it: tokens, requests, and the cost if its price is known.

import * as vscode from 'vscode';
import { createMeter, type MeterReading } from '../../agent/meter.ts';
import { errorText, type Log } from '../../base/log.ts';
import type { Model } from '../../models/model.ts';
import { checkPrices, costOf, type CountedRequest, type Prices } from '../../models/prices.ts';
import { dollars, figure, percent } from '../text/figures.ts';
import { readPrices, readWindowSettings } from '../host/settings.ts';

interface Models {
  readonly model: Model;
  readonly utility: Model;
}

interface MeteredAnswer {
  /** Those to answer with. */
  readonly models: Models;
  /** To be called at the very end. Never throws: the chat of a turn that was stopped may be closed. */
  tell(response: vscode.ChatResponseStream): void;
}

/** A smaller amount would be shown as nothing. */
const CENT = 0.01;

/** Of a window, so that it warns of a wrong price only once. */
export class UsageLine {
  readonly #log: Log;
  readonly #warned = new Set<string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** At the beginning of an answer. Counts nothing where the person does not want to know. */
  begin({ model, utility }: Models): MeteredAnswer {
    if (!readWindowSettings().showUsage) return { models: { model, utility }, tell: () => {} };
    const meter = createMeter();
    return {
      models: { model: meter.counting(model), utility: meter.counting(utility) },
      tell: (response) => this.#tell(response, meter.reading()),
    };
  }

  #tell(response: vscode.ChatResponseStream, reading: MeterReading): void {
    const line = usageLineText(reading, this.#prices());
    if (line === '') return;
    try {
      response.markdown(`\n\n_${line}_`);
    } catch (error) {
      this.#log.debug(`[chat] The line on the usage could not be shown: ${errorText(error)}`);
    }
  }

  #prices(): Prices {
    const { prices, problems } = checkPrices(readPrices());
    for (const [beginning, problem] of problems) {
      const warning = `[settings] memoryAgent.prices: "${beginning}" is ignored: ${problem}`;
      if (!this.#warned.has(warning)) this.#log.warn(warning);
      this.#warned.add(warning);
    }
    return prices;
  }
}

/** Empty where nothing was answered. */
export function usageLineText({ requests, brokenOff }: MeterReading, prices: Prices): string {
  if (requests.length === 0) return '';
  const cost = costOf(requests, prices);
  return [
    tokensText(requests),
    ...(cost === undefined ? [] : [costText(cost)]),
    ...(brokenOff > 0 ? [vscode.l10n.t('not counted: what broke off')] : []),
  ].join(' · ');
}

function tokensText(requests: readonly CountedRequest[]): string {
  const sum = (count: (request: CountedRequest) => number) =>
    requests.reduce((total, request) => total + count(request), 0);
  const cached = sum(({ usage }) => usage.cacheRead);
  const input = sum(({ usage }) => usage.input + usage.cacheWrite) + cached;
  const output = sum(({ usage }) => usage.output);
  const count = requests.length;
  if (requests.some(({ estimated }) => estimated)) {
    return vscode.l10n.t(
      'about {0} tokens in, {1} out, estimated; requests: {2}',
      figure(input),
      figure(output),
      figure(count),
    );
  }
  return cached > 0
    ? vscode.l10n.t(
        '{0} tokens in ({1} from the cache), {2} out; requests: {3}',
        figure(input),
        percent(cached / input),
        figure(output),
        figure(count),
      )
    : vscode.l10n.t(
        '{0} tokens in, {1} out; requests: {2}',
        figure(input),
        figure(output),
        figure(count),
      );
}

function costText(cost: number): string {
  if (cost > 0 && cost < CENT) return vscode.l10n.t('less than {0}', dollars(CENT));
  return vscode.l10n.t('about {0}', dollars(cost));
}
