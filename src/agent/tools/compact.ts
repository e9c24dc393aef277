// compact: the model asks for a summary of the conversation so far. The tool only takes note; the loop compacts
// once all calls of the reply have their results.

import * as z from 'zod/mini';
import type { JsonObject } from '../../models/model.ts';
import type { Tool } from '../tools.ts';
import { declareTool, implementTool } from './declareTool.ts';

export const COMPACT_TOOL = 'compact';

const compactDeclaration = declareTool({
  name: COMPACT_TOOL,
  description:
    'Puts a summary in the place of the conversation so far, but for the current request and your last reply; ' +
    'everything stays readable in an archive. It happens after all calls of this reply. Use it when a large part of ' +
    'the work is done and its details are no longer needed. Long conversations are compacted by themselves, so there ' +
    'is no need to keep watch.',
  // The tool only takes note, so it may run beside others.
  readOnly: true,
  input: z.strictObject({
    focus: z.optional(z.string().check(z.describe('What the summary is to keep in particular.'))),
  }),
});

export function createCompact(): Tool {
  return implementTool(
    compactDeclaration,
    async () =>
      'Noted. The conversation is compacted after the calls of this reply, if a summary can be made.',
  );
}

/** The wish in a call's input. */
export function compactFocus({ focus }: JsonObject): string {
  return typeof focus === 'string' ? focus : '';
}
