// The licences of what is bundled, as their files in node_modules say them: whoever gets the bundle gets them too.
// JavaScript, since the build runs before anything else is there.

import fs from 'node:fs';
import path from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i;

/** `metafile`: esbuild's account of a build. Throws when a package comes without the text of its licence. */
export function thirdPartyNotices(metafile, root) {
  const notices = bundledPackages(metafile).map((folder) => notice(path.join(root, folder)));
  return [
    'Memory Agent holds code of the packages below, each under its own licence.',
    ...notices.toSorted(),
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}

function bundledPackages({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0),
  );
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(folders)];
}

function notice(folder) {
  const { name, version, license } = JSON.parse(
    fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const files = fs.readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  if (files.length === 0) throw new Error(`${name} is bundled, but has no file with its licence.`);
  const texts = files.toSorted().map((file) => fs.readFileSync(path.join(folder, file), 'utf8'));
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
}
