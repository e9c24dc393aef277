// What the person looks at in the editor while they ask, in a few words, so that "this file" and "these lines" can
// be understood.

import type { AttachmentBlock } from '../../models/model.ts';
import { linesThatFit, spanName, type LineSpan } from './attachedText.ts';
import { attachmentBlock } from './attachmentBlock.ts';
import { linesOf } from '../../base/lines.ts';

export interface EditorState {
  /** As the tools name the file. */
  readonly name: string;
  /** As the editor calls it, e.g. `typescript`. */
  readonly language: string;
  /** The selected lines, or the one that the cursor is in. Undefined when that is not known. */
  readonly lines: LineSpan | undefined;
  readonly isSelection: boolean;
  /** What is selected, when it goes with the request. */
  readonly selected?: string | undefined;
}

/** Whoever selects more means the file. */
const MOST_SELECTED = 5_000;
/** Of the model's window. */
const SHARE_OF_WINDOW = 1 / 8;

/** `inputLimit` is that of the model, in tokens. */
export function editorStateBlock(state: EditorState, inputLimit: number): AttachmentBlock {
  const { name, selected } = state;
  const shown = `Active editor: ${state.lines ? spanName(name, state.lines) : name}`;
  const about = sentence(state);
  if (selected === undefined) return attachmentBlock({ name: shown, body: about });
  const lines = linesOf(selected);
  const kept = linesThatFit(lines, {
    chars: MOST_SELECTED,
    tokens: Math.min(MOST_SELECTED, inputLimit * SHARE_OF_WINDOW),
  });
  const cut =
    kept.length < lines.length
      ? [`[Cut: the first ${kept.length} of the ${lines.length} selected lines.]`]
      : [];
  return attachmentBlock({ name: shown, about, body: [...cut, ...kept].join('\n') });
}

function sentence({ name, language, lines, isSelection }: EditorState): string {
  const open = `The user has ${name} (${language}) open in the editor`;
  if (!lines) return `${open}.`;
  const { first, last } = lines;
  if (!isSelection) return `${open}, with the cursor in line ${first}.`;
  return first === last
    ? `${open}, with text in line ${first} selected.`
    : `${open}, with text in the lines ${first}-${last} selected.`;
}
