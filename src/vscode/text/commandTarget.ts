// The address of a link in Markdown that runs a command. No 'vscode' import, so it is tested without a host.

/** `args` are those of the command. No character of them can end the link. */
export function commandTarget(command: string, ...args: readonly unknown[]): string {
  if (args.length === 0) return `command:${command}`;
  const query = encodeURIComponent(JSON.stringify(args)).replaceAll(
    /[()'!*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `command:${command}?${query}`;
}
