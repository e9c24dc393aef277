// The tag in which a summary stands, and what keeps other text from opening or closing it.

import { inertTag } from '../base/inertTag.ts';

export const SUMMARY_TAG = 'conversation_summary';

export const inertInSummary = inertTag(SUMMARY_TAG);
