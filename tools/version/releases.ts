import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A version with the commit that it was built from. */
export interface Release {
  readonly version: string;
  readonly commit: string;
}

/**
 * Every release, newest first. A commit can't contain its own id, and a clone may have no tags: so the commit after it
 * records it here.
 */
export const releasesFile = 'releases.json';

export function readReleases(): readonly Release[] {
  return JSON.parse(readFileSync(releasesFile, 'utf8')) as Release[];
}

/** The version of package.json. */
export function currentVersion(): string {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
}

/** The text below each heading of the changelog, by version, in the order of the file. */
export function changelogEntries(
  changelog = readFileSync('CHANGELOG.md', 'utf8'),
): ReadonlyMap<string, string> {
  const [, ...entries] = changelog.split(/^## /m);
  return new Map(
    entries.map((entry) => {
      const [heading = '', ...lines] = entry.split('\n');
      return [heading.trim(), lines.join('\n').trim()];
    }),
  );
}

/** Why HEAD can't be recorded as the release of the current version. */
export function problemsOfRelease(isClean: boolean, releases = readReleases()): string[] {
  const version = currentVersion();
  const [newest] = changelogEntries();
  return [
    ...(isClean ? [] : ['Files differ from HEAD: commit or remove them first.']),
    ...(newest?.[0] === version && newest[1] !== ''
      ? []
      : [`CHANGELOG.md does not begin with an entry for ${version}.`]),
    ...(releases.some((release) => release.version === version)
      ? [`${releasesFile} has ${version} already.`]
      : []),
  ];
}

/** What git prints, without the last line break. */
export function git(...parameters: readonly string[]): string {
  return execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
}
