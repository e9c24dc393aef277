// Makes tags of ours harmless in text that others wrote, so that it can neither end the place that is given to it
// nor open another. A tag that is spelled with invisible characters or blanks in it counts too.

/** What writes the `<` of these tags, opening or closing, as `&lt;`. Names are letters and underscores. */
export function inertTag(...names: readonly string[]): (text: string) => string {
  const spelled = names.map((name) => Array.from(name).join(UNSEEN)).join('|');
  const tag = new RegExp(`<(?=${UNSEEN}(?:/${UNSEEN})?(?:${spelled}))`, 'giu');
  return (text) => text.replaceAll(tag, '&lt;');
}

/** Characters that show nothing between those of the tag do not keep a model from reading it. */
const UNSEEN = '[\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}]*';
