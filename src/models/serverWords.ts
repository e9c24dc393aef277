// What a server said of a failure, fit for a sentence that a person reads and for the log.

const MAX_TEXT_LENGTH = 300;
/** Shorter ones are made up for servers that want any, and are parts of common words. */
const SHORTEST_KEY = 8;

/** On one line. An HTML page, as a proxy sends it, is named, not quoted. */
export function shortText(text: string): string {
  if (/<(!doctype|html|head|body)\b/i.test(text)) return 'an HTML page instead of an answer';
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line;
}

/** To be called first: a text that is cut in the middle of the key would still tell most of it. */
export function withoutKey(text: string, apiKey: string): string {
  return apiKey.length < SHORTEST_KEY ? text : text.replaceAll(apiKey, '[key]');
}
