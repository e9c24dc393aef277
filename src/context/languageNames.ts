// The languages of a text by their names, for people.

import type { Language } from '../base/language.ts';
import { sentence, type Said, type Sentence } from '../base/sentence.ts';

/** Any of them. Empty for none. */
export function languageNames(languages: readonly Language[]): Said {
  const [first, ...rest] = languages.map((language) => NAMES[language]);
  return (
    rest.reduce((all: Sentence | undefined, next) => all && sentence`${all} or ${next}`, first) ??
    ''
  );
}

const NAMES: Readonly<Record<Language, Sentence>> = {
  English: sentence`English`,
  German: sentence`German`,
  French: sentence`French`,
  Spanish: sentence`Spanish`,
  Portuguese: sentence`Portuguese`,
  Italian: sentence`Italian`,
  'Latin script': sentence`Latin script`,
  Chinese: sentence`Chinese`,
  Japanese: sentence`Japanese`,
  Korean: sentence`Korean`,
  'Cyrillic script': sentence`Cyrillic script`,
  'Arabic script': sentence`Arabic script`,
  Hebrew: sentence`Hebrew`,
  Greek: sentence`Greek`,
  Thai: sentence`Thai`,
  'Devanagari script': sentence`Devanagari script`,
};
