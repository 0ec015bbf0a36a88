import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../bootstrap/paths.mjs';

/**
 * Prints the images of others that docker-compose.yml and the Dockerfile name, each with the newest version of its major one
 * that the registry has with the same suffix, and ends with 1 when one is newer. Needs skopeo.
 */
function main() {
  const rows = namedImages().map((image) => {
    const [name, tag] = image.split(':');
    const { Tags } = JSON.parse(
      execFileSync('skopeo', ['list-tags', `docker://${name}`], { encoding: 'utf8' }),
    );
    return { image, newest: newestLike(tag, Tags) };
  });
  for (const { image, newest } of rows) {
    const isNewest = image.endsWith(`:${newest}`);
    process.stdout.write(
      `${isNewest ? 'newest  ' : 'OUTDATED'}  ${image}${isNewest ? '' : `  ->  ${newest}`}\n`,
    );
    if (!isNewest) process.exitCode = 1;
  }
}

function namedImages() {
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
  const others = Object.values(services).filter(({ build }) => !build);
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, nodeImage] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile);
  return [nodeImage, ...others.map(({ image }) => image)];
}

/** The newest of the tags that differ from `tag` only in their numbers after the first one. */
function newestLike(tag, tags) {
  const [, prefix, numbers, suffix] = /^(v?)(\d+(?:\.\d+)+)(.*)$/.exec(tag);
  const places = numbers.split('.');
  const alike = tags.flatMap((candidate) => {
    const [, ...parts] = /^(v?)(\d+(?:\.\d+)+)(.*)$/.exec(candidate) ?? [];
    const version = parts[1]?.split('.').map(Number);
    const isAlike = parts[0] === prefix && parts[2] === suffix && version.length === places.length;
    return isAlike && version[0] === Number(places[0]) ? [{ candidate, version }] : [];
  });
  const ascending = alike.sort((one, other) => compare(one.version, other.version));
  return ascending.at(-1)?.candidate ?? tag;
}

function compare(one, other) {
  const differs = one.findIndex((number, place) => number !== other[place]);
  return differs === -1 ? 0 : one[differs] - other[differs];
}

main();
