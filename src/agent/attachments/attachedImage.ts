// An image that the person attached, checked for all that the API refuses: what is refused would stay in the
// history, and make every later request of the conversation fail too.

import { imageHeader } from '../../models/imageHeader.ts';
import type { ImageBlock } from '../../models/model.ts';
import type { UnsentReason } from './unsentAttachments.ts';

/** What the API takes of one image, in characters of base64. */
const MOST_CHARS = 5 * 1024 * 1024;
/** The API takes requests of 32 MB, and later ones hold these images too. */
const MOST_CHARS_IN_ALL = 15 * 1024 * 1024;
/** What the API takes, in pixels. */
const LONGEST_SIDE = 8_000;
/** Beyond it the API takes only small ones. */
const MOST_IMAGES = 20;

interface CheckedImage {
  readonly block: ImageBlock;
  /** For the model. */
  readonly about: string;
}

/** Whether there is room for another one, whatever it is. */
export function imageRoom(sent: readonly ImageBlock[]): UnsentReason | undefined {
  return sent.length < MOST_IMAGES ? undefined : 'tooManyImages';
}

/** Why an image of so many bytes cannot be sent, before it is read. */
export function imageSizeProblem(bytes: number): UnsentReason | undefined {
  return Math.ceil(bytes / 3) * 4 > MOST_CHARS ? 'imageTooLarge' : undefined;
}

export function checkedImage(
  bytes: Uint8Array,
  sent: readonly ImageBlock[],
): CheckedImage | UnsentReason {
  const header = imageHeader(bytes);
  if (!header) return 'imageType';
  const { type, width, height } = header;
  const problem = imageSizeProblem(bytes.length);
  if (problem || Math.max(width, height) > LONGEST_SIDE) return 'imageTooLarge';
  const data = Buffer.from(bytes).toString('base64');
  const chars = sent.reduce((sum, { source }) => sum + source.data.length, data.length);
  if (chars > MOST_CHARS_IN_ALL) return 'noRoom';
  return {
    block: { type: 'image', source: { type: 'base64', media_type: type, data } },
    about: `The image that follows, ${width} × ${height} pixels.`,
  };
}
