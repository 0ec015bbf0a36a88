import { existsSync } from 'node:fs';

/** The directory with package.json, for sources and for what is compiled from them, in a checkout and in an image. */
export const projectRoot: URL = directoryWithPackage(new URL('./', import.meta.url));

function directoryWithPackage(directory: URL): URL {
  if (existsSync(new URL('package.json', directory))) return directory;
  const parent = new URL('../', directory);
  if (parent.href === directory.href) throw new Error('no package.json above this file');
  return directoryWithPackage(parent);
}
