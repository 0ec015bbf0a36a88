import { readFileSync } from 'node:fs';
import { changelogEntries, currentVersion, problemsOfRelease, readReleases } from './releases.js';

const [newest, ...earlier] = [...changelogEntries().keys()];

it('the newest entry of the changelog is about the version of package.json', () => {
  expect(newest).toBe(currentVersion());
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version?: string }>;
  };
  expect(packages['']?.version).toBe(currentVersion());
});

it('every earlier version is on record with its commit, newest first', () => {
  const recorded = readReleases().map(({ version }) => version);
  expect(recorded.filter((version) => version !== newest)).toEqual(earlier);
  expect(readReleases().every(({ commit }) => /^[0-9a-f]{40}$/.test(commit))).toBe(true);
});

it('a release needs a clean tree and a version that is not on record', () => {
  expect(problemsOfRelease(true, [])).toEqual([]);
  expect(problemsOfRelease(false, [])).toEqual(['Files differ from HEAD: commit or remove them first.']);
  const recorded = [{ version: currentVersion(), commit: 'c' }];
  expect(problemsOfRelease(true, recorded)).toEqual([`releases.json has ${currentVersion()} already.`]);
});
