// Writes to disk, verbatim, what leaves the working history, and names the place left in its stead. The name of a
// text is made from what it says, so that each is written once, ever, and no two share a name; only one that is
// written while it still comes has a name by chance.
// What recall put in front of a request is not part of it: an archive holds what was said and done.

import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import {
  lookNow,
  makePrivateFolder,
  namesNow,
  removeFile,
  writeFileAtomically,
} from '../base/files.ts';
import { makeIgnoredFolder } from '../base/ignoredFolder.ts';
import { RULES_FILE } from '../base/ignoreRules.ts';
import { sentence, SentenceError, sentenceOf } from '../base/sentence.ts';
import { createFileNow, plainFileNow } from '../base/writeNow.ts';
import { TranscriptFile, type LoggedMessage } from './transcriptFile.ts';

const TRANSCRIPTS = '.transcripts';
const TASK_OUTPUTS = '.task_outputs';
const TOOL_RESULTS = 'tool-results';
/** A session's id is the name of a file here. */
const SESSION_ID = /^[A-Za-z0-9_-]+$/;
const TRANSCRIPT_NAME = /^[A-Za-z0-9_-]+\.jsonl$/;
/** Hexadecimal: 128 bits, which no two texts will ever share. */
const NAME_DIGITS = 32;
const TEXT_NAME = /^[0-9a-f]{32}\.txt$/;

interface ArchiveOptions {
  /** Absolute path. */
  readonly root: string;
  /** Relative ones hold when the workspace moves or is opened remotely; `root` must be its folder then. */
  readonly pointers: 'relative' | 'absolute';
}

/** Archives below one folder. */
export class Archive {
  readonly #root: string;
  readonly #pointers: ArchiveOptions['pointers'];
  readonly #resultFolder: ArchiveFolder;
  readonly #transcriptFolder: ArchiveFolder;
  readonly #transcripts = new Map<string, TranscriptFile>();

  constructor(options: ArchiveOptions) {
    this.#root = options.root;
    this.#pointers = options.pointers;
    this.#resultFolder = archiveFolder(options.root, TASK_OUTPUTS, TOOL_RESULTS);
    this.#transcriptFolder = archiveFolder(options.root, TRANSCRIPTS);
  }

  /** How the model is told of an archived file. */
  pointer(file: string): string {
    if (this.#pointers === 'absolute') return file;
    return path.relative(this.#root, file).split(path.sep).join('/');
  }

  /** Adds to the session's one transcript what is not in it yet, as JSON lines. Returns the absolute path. */
  async saveTranscript(sessionId: string, log: readonly LoggedMessage[]): Promise<string> {
    if (!SESSION_ID.test(sessionId))
      throw new Error(`"${sessionId}" is not the id of a session, so it names no transcript.`);
    return this.#save(this.#transcriptFolder, transcriptName(sessionId), (file) => {
      const transcript = this.#transcripts.get(file) ?? new TranscriptFile(file);
      this.#transcripts.set(file, transcript);
      transcript.append(log);
    });
  }

  /** Frees what is kept of a transcript that is complete. It can be added to all the same. */
  closeTranscript(sessionId: string): void {
    this.#transcripts.delete(fileIn(this.#transcriptFolder, transcriptName(sessionId)));
  }

  /** Saves a text that is cut out of a tool result or of a call's input. Returns the absolute path. */
  async saveText(text: string): Promise<string> {
    const bytes = Buffer.from(text);
    const name = createHash('sha256').update(bytes).digest('hex').slice(0, NAME_DIGITS);
    return this.#save(this.#resultFolder, `${name}.txt`, (file) => writeOnce(file, bytes));
  }

  /** Makes an empty file for a text that is still to come. Returns the absolute path. */
  async startText(): Promise<string> {
    const name = randomBytes(NAME_DIGITS / 2).toString('hex');
    return this.#save(this.#resultFolder, `${name}.txt`, (file) => {
      if (!createFileNow(file, new Uint8Array()))
        throw new SentenceError(sentence`Its name is taken.`);
    });
  }

  /**
   * Deletes all that was ever archived here, and nothing else. Pointers to it lead nowhere then. Of the sessions in
   * `except` nothing is deleted: their transcripts stay and, as a text may be of any session, all texts.
   */
  async removeAll(options: { readonly except?: readonly string[] } = {}): Promise<void> {
    const kept = new Set(options.except?.map(transcriptName));
    const kinds = [
      {
        folder: this.#transcriptFolder.path,
        isOurs: (name: string) => TRANSCRIPT_NAME.test(name) && !kept.has(name),
      },
      {
        folder: this.#resultFolder.path,
        isOurs: (name: string) => TEXT_NAME.test(name) && kept.size === 0,
      },
    ];
    this.#transcripts.clear();
    for (const { folder, isOurs } of kinds) {
      // Behind a link stand files of others.
      if (lookNow(folder)?.kind !== 'folder') continue;
      for (const file of namesNow(folder).filter(isOurs)) await removeFile(path.join(folder, file));
    }
  }

  async #save(
    folder: ArchiveFolder,
    name: string,
    write: (file: string) => void | Promise<void>,
  ): Promise<string> {
    const file = fileIn(folder, name);
    try {
      if (!isReady(folder)) await makeReady(folder);
      await write(file);
    } catch (cause) {
      throw new SentenceError(
        sentence`${this.pointer(file)} was not archived. Mend this and try again: ${sentenceOf(cause)}`,
        { cause },
      );
    }
    return file;
  }
}

function transcriptName(sessionId: string): string {
  return `${sessionId}.jsonl`;
}

/** One of ours, in its place below a folder that git ignores. */
interface ArchiveFolder {
  readonly path: string;
  /** The same, or the one above it. */
  readonly ignored: string;
  readonly rules: string;
}

function fileIn(folder: ArchiveFolder, name: string): string {
  return folder.path + path.sep + name;
}

function archiveFolder(root: string, top: string, name = ''): ArchiveFolder {
  const ignored = path.join(root, top);
  return { path: path.join(ignored, name), ignored, rules: path.join(ignored, RULES_FILE) };
}

/** Looked at for each file, which takes microseconds: somebody may delete it, or put a link there, at any time. */
function isReady(folder: ArchiveFolder): boolean {
  return (
    lookNow(folder.ignored)?.kind === 'folder' &&
    lookNow(folder.rules)?.kind === 'file' &&
    (folder.path === folder.ignored || lookNow(folder.path)?.kind === 'folder')
  );
}

async function makeReady(folder: ArchiveFolder): Promise<void> {
  // Archives hold whatever tools printed, so they must not end in a commit.
  await makeIgnoredFolder(folder.ignored);
  await makePrivateFolder(folder.path);
  if (!isReady(folder))
    throw new SentenceError(
      sentence`${path.basename(folder.path)} is not a real folder. Move it to another place.`,
    );
}

/** The folders that hold the archives of a workspace folder. */
export function archiveFolders(root: string): readonly string[] {
  return [TRANSCRIPTS, TASK_OUTPUTS].map((name) => path.join(root, name));
}

async function writeOnce(file: string, bytes: Uint8Array): Promise<void> {
  const size = plainFileNow(file)?.size;
  if (size === bytes.length) return;
  if (size === undefined && createFileNow(file, bytes)) return;
  // A crash tore it, or another window is at it this very moment: then both write the same.
  await writeFileAtomically(file, bytes);
}
