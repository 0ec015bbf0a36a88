import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../bootstrap/paths.mjs';

/**
 * Prints the third-party images of the compose files and the Dockerfile, each with the newest version in the registry
 * of the same major version and suffix, and exits with 1 when one is outdated. Needs skopeo.
 */
function main(): void {
  const rows = namedImages().map((image) => {
    const [name = '', tag = ''] = image.split(':');
    const { Tags } = JSON.parse(
      execFileSync('skopeo', ['list-tags', `docker://${name}`], { encoding: 'utf8' }),
    ) as { Tags: readonly string[] };
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

function namedImages(): string[] {
  const others = ['docker-compose.yml', 'deploy/compose/front.yml'].flatMap(imagesOf);
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, nodeImage = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
  return [nodeImage, ...others];
}

function imagesOf(file: string): string[] {
  // The tag `!reset` is for compose.
  const options = { merge: true, logLevel: 'error' } as const;
  const { services } = parse(readFileSync(join(root, file), 'utf8'), options) as {
    services: Record<string, { image?: string; build?: unknown }>;
  };
  return Object.values(services).flatMap(({ image, build }) => (image && !build ? [image] : []));
}

const versionOfTag = /^(v?)(\d+(?:\.\d+)+)(.*)$/;

interface VersionTag {
  readonly prefix: string;
  readonly numbers: readonly number[];
  readonly suffix: string;
}

function versionIn(tag: string): VersionTag | null {
  const found = versionOfTag.exec(tag);
  if (!found) return null;
  const [, prefix = '', numbers = '', suffix = ''] = found;
  return { prefix, numbers: numbers.split('.').map(Number), suffix };
}

/** The newest of the tags that differ from `tag` only in the numbers after the first one. */
function newestLike(tag: string, tags: readonly string[]): string {
  const own = versionIn(tag);
  if (!own) throw new Error(`${tag} has no version`);
  const alike = tags.flatMap((candidate) => {
    const version = versionIn(candidate);
    return version && isAlike(version, own) ? [{ candidate, numbers: version.numbers }] : [];
  });
  const ascending = alike.sort((one, other) => compare(one.numbers, other.numbers));
  return ascending.at(-1)?.candidate ?? tag;
}

function isAlike(one: VersionTag, other: VersionTag): boolean {
  return (
    one.prefix === other.prefix &&
    one.suffix === other.suffix &&
    one.numbers.length === other.numbers.length &&
    one.numbers[0] === other.numbers[0]
  );
}

function compare(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((number, place) => number !== other[place]);
  return differs === -1 ? 0 : (one[differs] ?? 0) - (other[differs] ?? 0);
}

main();
