// What of the attachments could not be sent, and why. The model is told the names, so that it can say so or read
// for itself.

import type { AttachmentBlock } from '../../models/model.ts';
import { attachmentBlock } from './attachmentBlock.ts';
import type { Said } from '../../base/sentence.ts';
import { cutLine } from '../../base/lines.ts';
import { printable } from '../tools/places/pathProblem.ts';

export type UnsentReason =
  | 'binary'
  | 'missing'
  | 'tooLarge'
  | 'noRoom'
  | 'imageType'
  | 'imageTooLarge'
  | 'tooManyImages'
  | 'noVision'
  | 'unknown'
  | 'failed';

export interface Unsent {
  readonly name: string;
  readonly reason: UnsentReason;
  /** What failed, in a sentence. */
  readonly problem?: Said;
}

const NAMES_TOLD = 50;
const NAME_CHARS = 200;

const REASONS: Record<UnsentReason, string> = {
  binary: 'it is not text',
  missing: 'it does not exist',
  tooLarge: 'it is too large',
  noRoom: 'there was no room left; read it if you need it',
  imageType: 'it is damaged or of a type that cannot be shown to you',
  imageTooLarge: 'the image is too large',
  tooManyImages: 'there were too many images',
  noVision: 'you cannot be shown images',
  unknown: 'it is of no kind that is understood',
  failed: 'it could not be read',
};

/** Needs at least one. */
export function unsentBlock(unsent: readonly Unsent[]): AttachmentBlock {
  const told = unsent.slice(0, NAMES_TOLD);
  const rows = told.map(
    ({ name, reason }) => `- ${cutLine(printable(name), NAME_CHARS)}: ${REASONS[reason]}`,
  );
  const more = unsent.length - told.length;
  return attachmentBlock({
    name: told.map(({ name }) => name).join(', '),
    about: 'Named only, not sent:',
    body: [...rows, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'),
  });
}
