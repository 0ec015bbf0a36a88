import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface ComposeFile {
  readonly services: Readonly<Record<string, { image?: string; build?: unknown }>>;
}

/*
 * Prints the third-party images of the compose files and the Dockerfile, each with the newest version in the registry
 * of the same major version and suffix, and exits with 1 when one is outdated. Needs skopeo.
 */
for (const image of namedImages()) {
  const [name = '', tag = ''] = image.split(':');
  const listed = execFileSync('skopeo', ['list-tags', `docker://${name}`], { encoding: 'utf8' });
  const newest = newestLike(tag, (JSON.parse(listed) as { Tags: readonly string[] }).Tags);
  process.stdout.write(newest === tag ? `newest    ${image}\n` : `OUTDATED  ${image}  ->  ${newest}\n`);
  if (newest !== tag) process.exitCode = 1;
}

function namedImages(): string[] {
  const [, nodeImage = ''] = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const others = ['docker-compose.yml', 'deploy/compose/front.yml'].flatMap((file) => {
    // The tag `!reset` is for compose.
    const { services } = parse(readFileSync(file, 'utf8'), { merge: true, logLevel: 'error' }) as ComposeFile;
    return Object.values(services).flatMap(({ image, build }) => (image && !build ? [image] : []));
  });
  return [nodeImage, ...others];
}

/** The newest of the tags that differ from `tag` only in the numbers after the first one. */
function newestLike(tag: string, tags: readonly string[]): string {
  const alike = new RegExp(`^${tag.replace(/\.\d+/g, '\\.\\d+')}$`);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return (
    tags
      .filter((other) => alike.test(other))
      .sort(compare)
      .at(-1) ?? tag
  );
}
