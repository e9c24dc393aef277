// Proposed memories that wait for the person's review: one Markdown file each in `.memory/.proposed`. What the person
// rejected is kept apart there, so that it is not proposed again.

import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createFileAtomically, lookNow, moveIfFree, removeFile } from '../../base/files.ts';
import { FolderLock } from '../../base/folderLock.ts';
import { makeIgnoredFolder } from '../../base/ignoredFolder.ts';
import { InOrder } from '../../base/inOrder.ts';
import { Listeners } from '../../base/listeners.ts';
import { errorText, type Log } from '../../base/log.ts';
import { sentence, SentenceError } from '../../base/sentence.ts';
import { nameForLog } from '../fieldText.ts';
import { hasSameWords, nearlyRepeats, repeats } from '../words/likeness.ts';
import type { Fields } from '../extraction/policy.ts';
import { slugFor } from '../record.ts';
import { isRecordFile } from '../folder/recordCache.ts';
import { freeNames } from '../folder/recordFiles.ts';
import { secretIn } from '../secrets/secrets.ts';
import { parseProposal, printProposal, type NewProposal, type Proposal } from './proposalFile.ts';
import { proposalFiles, ProposalReader } from './proposalReader.ts';

export type { NewProposal, Proposal } from './proposalFile.ts';

/** More than a person looks through; what is found comes up again. */
const MAX_WAITING = 50;
/** What the person said may not come up again, so that it waits as long as it can be read. */
const MAX_SAID = 400;
/** As many as are remembered, newest first: what was rejected long ago may hold by now. */
const MAX_REJECTED = 200;

interface Options {
  /** Absolute path, in the folder of the memories. It need not exist. */
  readonly folder: string;
  readonly log: Log;
  readonly now: () => Date;
}

export class Proposals {
  readonly folder: string;
  readonly #log: Log;
  readonly #now: () => Date;
  readonly #lock: FolderLock;
  readonly #reader: ProposalReader;
  readonly #listeners: Listeners;
  readonly #inOrder = new InOrder();
  /** What the listeners were told of last. */
  #told: string | undefined;

  constructor({ folder, log, now }: Options) {
    this.folder = folder;
    this.#log = log;
    this.#now = now;
    this.#reader = new ProposalReader(log);
    this.#lock = new FolderLock({ folder, log });
    this.#listeners = new Listeners((error) =>
      log.error(`[proposals] A listener failed: ${errorText(error)}`),
    );
  }

  /** Those that wait, oldest first. */
  async list(): Promise<readonly Proposal[]> {
    return this.#read(this.folder);
  }

  /** Keeps those that are not waiting or rejected already; returns what was kept. */
  async add(proposals: readonly NewProposal[]): Promise<readonly Proposal[]> {
    const harmless = proposals.filter((proposal) => this.#isHarmless(proposal));
    if (harmless.length === 0) return [];
    return this.#inOrder.run(async () => {
      await makeIgnoredFolder(path.dirname(this.folder));
      await makeIgnoredFolder(this.folder);
      return this.#locked(async () => {
        const kept: Proposal[] = [];
        for (const proposal of harmless) {
          if (!(await this.#isNew(proposal))) continue;
          kept.push(await this.#write(proposal));
        }
        return kept;
      });
    });
  }

  /** The person does not want it, now or later. Throws when it waits no more. */
  async reject(proposal: Proposal): Promise<void> {
    await this.#change(async () => {
      this.#current(proposal);
      await makeIgnoredFolder(this.#rejected);
      // The time in front puts them in order.
      const stamp = this.#now().toISOString().replaceAll(/[-:.]/g, '');
      const base = `${stamp}-${slugFor(proposal.fields.name)}`;
      await moveToFree(this.#pathOf(proposal.file), this.#rejected, base);
      const newestFirst = proposalFiles(this.#rejected).toReversed();
      for (const file of newestFirst.slice(MAX_REJECTED))
        await removeFile(path.join(this.#rejected, file));
    });
  }

  /** Takes back `reject`. Throws when it is not among the rejected. */
  async takeBack(proposal: Proposal): Promise<void> {
    await this.#change(async () => {
      const rejected = this.#read(this.#rejected).findLast((each) => isSame(each, proposal));
      if (!rejected)
        throw new SentenceError(
          sentence`${proposal.file} is no longer among the rejected proposals.`,
        );
      await moveToFree(rejected.path, this.folder, path.parse(proposal.file).name);
    });
  }

  /** It is of no use any more. */
  async remove(proposal: Proposal): Promise<void> {
    await this.#change(async () => {
      if (this.#find(proposal)) await removeFile(this.#pathOf(proposal.file));
    });
  }

  /**
   * Hands the proposal, as its file stands now, to `work`, and removes it when that succeeded: once, whoever else
   * would do the same. Throws when it waits no more. `work` must not change the proposals.
   */
  async settle<T>(proposal: Proposal, work: (current: Proposal) => Promise<T>): Promise<T> {
    return this.#change(async () => {
      const result = await work(this.#current(proposal));
      await removeFile(this.#pathOf(proposal.file));
      return result;
    });
  }

  /** After a change from outside: tells the listeners if there was one. */
  async refresh(): Promise<void> {
    if (this.#state() !== this.#told) this.#tell();
  }

  /** Returns the function that unsubscribes. A listener is called after each change here, and must not throw. */
  onDidChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  get #rejected(): string {
    return path.join(this.folder, 'rejected');
  }

  /** Whether it may be written at all. */
  #isHarmless(proposal: NewProposal): boolean {
    const { name, description, body } = proposal.fields;
    const secret = secretIn([name, description, body, proposal.quote].join('\n'));
    if (secret !== undefined) this.#refuse(proposal, `it holds a secret: ${secret}`);
    return secret === undefined;
  }

  async #isNew(proposal: NewProposal): Promise<boolean> {
    const waiting = this.#read(this.folder);
    const known = [...waiting, ...this.#read(this.#rejected)];
    if (known.some(({ fields }) => isKnownBy(proposal, fields))) {
      this.#refuse(proposal, 'it waits for review already, or was rejected');
      return false;
    }
    if (waiting.length < MAX_WAITING) return true;
    // The person's own words go before what was only found.
    const found = waiting.find(({ from }) => from !== 'person');
    if (proposal.from !== 'person' || !found) {
      if (proposal.from === 'person' && waiting.length < MAX_SAID) return true;
      this.#refuse(proposal, `${waiting.length} proposals wait for review already`);
      return false;
    }
    this.#refuse(found, 'it made room for the words of the person');
    await removeFile(found.path);
    return true;
  }

  #refuse({ fields }: NewProposal, reason: string): void {
    this.#log.info(`[proposals] "${nameForLog(fields.name)}" was not kept: ${reason}`);
  }

  async #write(proposal: NewProposal): Promise<Proposal> {
    const now = this.#now();
    const text = printProposal(proposal, now);
    for (const name of freeNames(slugFor(proposal.fields.name), () => false)) {
      const file = this.#pathOf(`${name}.md`);
      if (await createFileAtomically(file, text))
        return parseProposal(file, Buffer.from(text), now.getTime());
    }
    throw new SentenceError(sentence`No file name is left for the proposal.`);
  }

  /** As its file stands now. */
  #current(proposal: Proposal): Proposal {
    const current = this.#find(proposal);
    if (current) return current;
    throw new SentenceError(
      sentence`"${nameForLog(proposal.fields.name)}" no longer waits for review.`,
    );
  }

  /** Another may have its file name by now; a text that was edited keeps its date. */
  #find({ file, at }: Proposal): Proposal | undefined {
    const found = this.#isOurs(this.folder) ? this.#reader.read(this.#pathOf(file)) : undefined;
    return found?.at === at ? found : undefined;
  }

  /** Whether a folder is there, and is not reached through a link. */
  #isOurs(folder: string): boolean {
    const folders = [path.dirname(this.folder), this.folder, folder];
    return folders.every((each) => lookNow(each)?.kind === 'folder');
  }

  /** Oldest first; none when there is no folder. */
  #read(folder: string): readonly Proposal[] {
    return this.#isOurs(folder) ? this.#reader.list(folder) : [];
  }

  #pathOf(file: string): string {
    if (!isRecordFile(file))
      throw new SentenceError(sentence`${file} is not the name of a proposal.`);
    return path.join(this.folder, file);
  }

  /** A change to what is there already. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    return this.#inOrder.run(() =>
      // A lock needs a folder; without one there is nothing to keep from others.
      lookNow(this.folder)?.kind === 'folder' ? this.#locked(work) : work(),
    );
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#lock.run(work);
    } finally {
      this.#tell();
    }
  }

  /** The files that wait, with their times. */
  #state(): string {
    const looks = this.#read(this.folder).map(({ path }) => [path, lookNow(path)]);
    return JSON.stringify(looks);
  }

  #tell(): void {
    this.#told = this.#state();
    this.#listeners.tell();
  }
}

/** What a person says anew may be a correction, however like it is. */
function isKnownBy({ fields, from }: NewProposal, known: Fields): boolean {
  return (
    repeats(fields, known) ||
    hasSameWords(fields, known) ||
    (from !== 'person' && nearlyRepeats(fields, known))
  );
}

async function moveToFree(from: string, folder: string, base: string): Promise<void> {
  for (const name of freeNames(base, () => false))
    if (await moveIfFree(from, path.join(folder, `${name}.md`))) return;
  throw new SentenceError(sentence`No file name is left for the proposal.`);
}

/** Whether a file that was moved holds the proposal. */
function isSame(moved: Proposal, { file, path, ...proposal }: Proposal): boolean {
  return isDeepStrictEqual({ ...moved, file, path }, { ...proposal, file, path });
}
