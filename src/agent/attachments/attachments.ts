// What the person attached to a request, as the blocks that the model is sent. One that cannot be sent never keeps
// back the others: the model is told its name, and the person why.

import { orAborted } from '../../base/aborted.ts';
import { isInside, realPathInside } from '../../base/containment.ts';
import { infoIfPresent, readBytesIfPresent } from '../../base/files.ts';
import { sentence, SentenceError, sentenceOf } from '../../base/sentence.ts';
import { measureBlock } from '../../context/measure.ts';
import type { AttachmentBlock, ImageBlock } from '../../models/model.ts';
import { folderListing } from './attachedFolder.ts';
import { checkedImage, imageRoom, imageSizeProblem } from './attachedImage.ts';
import { isFull, spanName, textAttachment, type LineSpan, type Room } from './attachedText.ts';
import { attachmentBlock, type Purpose } from './attachmentBlock.ts';
import type { WholeFile } from '../seenFiles.ts';
import { shownPath } from '../tools/places/paths.ts';
import { unsentBlock, type Unsent } from './unsentAttachments.ts';
import { NotTextError, type Workspace } from '../workspace.ts';

export type Given = GivenPath | GivenText | GivenImage | GivenUnknown;

/** What stands on the disk: a file, lines of it, an image, or a folder. */
interface GivenPath {
  readonly kind: 'path';
  readonly absolute: string;
  readonly lines?: LineSpan | undefined;
  readonly purpose?: Purpose | undefined;
  /** What it is, in a few words. */
  readonly about?: string | undefined;
}

/** A text from elsewhere. */
interface GivenText {
  readonly kind: 'text';
  readonly name: string;
  readonly read: () => PromiseLike<string>;
  readonly lines?: LineSpan | undefined;
  readonly purpose?: Purpose | undefined;
  readonly about?: string | undefined;
}

interface GivenImage {
  readonly kind: 'image';
  readonly name: string;
  readonly read: () => PromiseLike<Uint8Array>;
}

interface GivenUnknown {
  readonly kind: 'unknown';
  readonly name: string;
}

export interface Attachments {
  readonly blocks: readonly Block[];
  /** Files of the workspace that stand in the blocks as they are, and whole. */
  readonly wholeFiles: readonly WholeFile[];
  readonly unsent: readonly Unsent[];
  /** The names of texts of which only the first lines are sent. */
  readonly cut: readonly string[];
}

type Block = AttachmentBlock | ImageBlock;

export interface AttachmentContext {
  readonly workspace: Workspace;
  /** Of the model, in tokens. */
  readonly inputLimit: number;
  readonly seesImages: boolean;
  /** For one of them. */
  readonly patienceMs?: number;
}

/** Of one text: the model can read on. */
const MOST_CHARS = 20_000;
/** Of all texts of a request. */
const MOST_CHARS_IN_ALL = 60_000;
/** Of the model's window, for what is attached to one request. */
const SHARE_OF_WINDOW = 1 / 4;
/** The whole text is in memory while it is read. */
const MOST_BYTES = 20_000_000;
/** A disk of the network, or a file system of another extension, may never answer. */
const PATIENCE_MS = 20_000;
const IMAGE_NAME = /\.(png|jpe?g|gif|webp)$/i;

export async function readAttachments(
  given: readonly Given[],
  context: AttachmentContext,
  signal: AbortSignal,
): Promise<Attachments> {
  const blocks: Block[] = [];
  const wholeFiles: WholeFile[] = [];
  const unsent: Unsent[] = [];
  const cut: string[] = [];
  for (const item of given) {
    const name = nameOf(item, context.workspace);
    const read = await inTime(context, signal, (ends) =>
      attached(item, { ...context, name, blocks }, ends),
    ).catch(refusal);
    if ('reason' in read) unsent.push({ name, ...read });
    else {
      blocks.push(...read.blocks);
      if (read.wholeFile) wholeFiles.push(read.wholeFile);
      if (read.isCut) cut.push(name);
    }
  }
  const told = unsent.length > 0 ? [unsentBlock(unsent)] : [];
  return { blocks: [...blocks, ...told], wholeFiles, unsent, cut };
}

interface Read {
  readonly blocks: readonly Block[];
  readonly wholeFile?: WholeFile | undefined;
  readonly isCut?: boolean;
}
type Refused = Omit<Unsent, 'name'>;

interface Here extends AttachmentContext {
  readonly name: string;
  /** What is attached so far. */
  readonly blocks: readonly Block[];
}

function refusal(error: unknown): Refused {
  return error instanceof NotTextError
    ? { reason: 'binary' }
    : { reason: 'failed', problem: sentenceOf(error) };
}

function nameOf(given: Given, workspace: Workspace): string {
  const name = given.kind === 'path' ? shownPath(workspace, given.absolute) : given.name;
  return 'lines' in given && given.lines ? spanName(name, given.lines) : name;
}

async function attached(given: Given, here: Here, signal: AbortSignal): Promise<Read | Refused> {
  switch (given.kind) {
    case 'path':
      return fromPath(given, here, signal);
    case 'text': {
      const room = roomLeft(here);
      if (isFull(room)) return { reason: 'noRoom' };
      const { lines, purpose, about } = given;
      const text = await given.read();
      if (text.length > MOST_BYTES) return { reason: 'tooLarge' };
      const shown = { name: here.name, text, lines, purpose, about };
      const { block, isCut } = textAttachment(shown, room);
      return { blocks: [block], isCut };
    }
    case 'image':
      return image(given.read, here);
    case 'unknown':
      return { reason: 'unknown' };
  }
}

async function fromPath(
  { absolute, lines, purpose, about }: GivenPath,
  here: Here,
  signal: AbortSignal,
): Promise<Read | Refused> {
  const { name, workspace } = here;
  const info = await infoIfPresent(absolute);
  if (info?.kind === 'other') return { reason: 'unknown' };
  if (info?.kind === 'file' && IMAGE_NAME.test(absolute) && !lines) {
    const problem = imageSizeProblem(info.size);
    return problem
      ? { reason: problem }
      : image(async () => (await readBytesIfPresent(absolute)) ?? new Uint8Array(), here);
  }
  if (info && info.size > MOST_BYTES) return { reason: 'tooLarge' };
  const room = roomLeft(here);
  if (isFull(room)) return { reason: 'noRoom' };
  if (info?.kind === 'folder') {
    const folder = { folder: absolute, workspaceFolders: workspace.folders };
    const text = (await folderListing(folder, signal)).join('\n');
    const shown = { name: `${name}/`, text, about: 'A folder.' };
    const { block, isCut } = textAttachment(shown, room);
    return { blocks: [block], isCut };
  }
  // Also when nothing is on the disk: an editor may hold the text of a file that was deleted.
  const text = await workspace.readText(absolute);
  if (text === undefined) return { reason: 'missing' };
  const canRead = workspace.folders.some((folder) => isInside(folder, absolute));
  const readOn = canRead ? shownPath(workspace, absolute) : undefined;
  const shown = { name, text, lines, purpose, about, readOn };
  const { block, isWhole, isCut } = textAttachment(shown, room);
  const real = isWhole ? await realPathInside(workspace.folders, absolute) : undefined;
  return { blocks: [block], isCut, wholeFile: real === undefined ? undefined : { real, text } };
}

async function image(read: () => PromiseLike<Uint8Array>, here: Here): Promise<Read | Refused> {
  if (!here.seesImages) return { reason: 'noVision' };
  const sent = here.blocks.filter((block) => block.type === 'image');
  const problem = imageRoom(sent);
  if (problem) return { reason: problem };
  const checked = checkedImage(await read(), sent);
  if (typeof checked === 'string') return { reason: checked };
  const { block, about } = checked;
  if (measureBlock(block) > roomLeft(here).tokens) return { reason: 'noRoom' };
  return { blocks: [attachmentBlock({ name: here.name, body: about }), block] };
}

/** For one more text. */
function roomLeft({ blocks, inputLimit }: Here): Room {
  const chars = blocks.map((block) => (block.type === 'attachment' ? block.text.length : 0));
  return {
    chars: Math.min(MOST_CHARS, MOST_CHARS_IN_ALL - sum(chars)),
    tokens: Math.floor(inputLimit * SHARE_OF_WINDOW) - sum(blocks.map(measureBlock)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

async function inTime<T>(
  { patienceMs = PATIENCE_MS }: AttachmentContext,
  signal: AbortSignal,
  work: (ends: AbortSignal) => Promise<T>,
): Promise<T> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const ended = () =>
    new SentenceError(
      signal.aborted ? sentence`It was stopped.` : sentence`It did not answer in time.`,
    );
  return orAborted(() => work(ends), ends, ended);
}
