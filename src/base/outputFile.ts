// An output in a file of its own, written as it comes. A disk that is full or gone takes nothing from the command
// that prints: what could not be kept is counted, with the reason.

import { errorText } from './log.ts';
import { appendNow } from './writeNow.ts';

interface OutputFileOptions {
  /** Makes an empty file, once there is something to write, and returns its absolute path. */
  readonly open: () => Promise<string>;
  readonly maxBytes: number;
}

export interface KeptOutput {
  /** Undefined when none was made. */
  readonly file: string | undefined;
  /** How much of the output stands in it, from the beginning on. */
  readonly chars: number;
  /** How much came after that and is lost. */
  readonly lost: number;
  /** Why, in a sentence. Undefined when nothing is lost, or the file is as large as it may get. */
  readonly problem: string | undefined;
}

export class OutputFile {
  readonly #options: OutputFileOptions;
  #kept: KeptOutput = { file: undefined, chars: 0, lost: 0, problem: undefined };
  #bytes = 0;

  constructor(options: OutputFileOptions) {
    this.#options = options;
  }

  /** So far. */
  get kept(): KeptOutput {
    return this.#kept;
  }

  /** Adds what came next. Never throws. One call at a time, and no half character in it. */
  async write(text: string): Promise<void> {
    // After a gap nothing is added, so that the file is a true beginning.
    if (this.#kept.lost > 0) return this.#lose(text);
    const data = Buffer.from(text);
    if (this.#bytes + data.length > this.#options.maxBytes) return this.#lose(text);
    try {
      const file = this.#kept.file ?? (await this.#options.open());
      this.#kept = { ...this.#kept, file };
      appendNow(file, data);
      this.#bytes += data.length;
      this.#kept = { ...this.#kept, chars: this.#kept.chars + text.length };
    } catch (error) {
      this.#lose(text, errorText(error));
    }
  }

  #lose(text: string, problem = this.#kept.problem): void {
    this.#kept = { ...this.#kept, lost: this.#kept.lost + text.length, problem };
  }
}
