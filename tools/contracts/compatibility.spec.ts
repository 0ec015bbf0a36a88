import { readFileSync } from 'node:fs';
import { oldestRevision } from '#contracts';
import { currentVersion, lastRelease, readReleases } from '../version/releases.js';
import { type Exceptions, problemsOf } from './compatibility.js';
import { at, breaking, curable, harmless, type Json, type Plant } from './planted-changes.fixture.js';
import { type ContractsSnapshot, readSnapshot, releasedSnapshotFile } from './snapshot.js';

const exceptionsFile = 'libs/contracts/released/exceptions.json';
const exceptions = JSON.parse(readFileSync(exceptionsFile, 'utf8')) as Exceptions;
const { version } = lastRelease();
const released = readSnapshot(releasedSnapshotFile(version));
const current = readSnapshot();
const none: Exceptions = { retired: [], accepted: [] };

const textsOf = (...given: Parameters<typeof problemsOf>): string[] =>
  problemsOf(...given).map(({ text }) => text);

// If it fails: keep what the last release needs, raise `messageRevision`, or see "A message that changes" in libs/contracts/README.md.
it('services of the last release and of this version understand each other', () => {
  expect(textsOf(released, current, exceptions, version)).toEqual([]);
});

it('leases begin with the revision of the last release', () => {
  expect(oldestRevision).toBe(released.revision);
});

it('has no exception that nothing needs any longer', () => {
  const needed = new Set(problemsOf(released, current, none, version).map(({ text }) => text));
  const texts = [...exceptions.accepted, ...exceptions.retired].map(({ problem }) => problem);
  expect(texts.filter((text) => !needed.has(text))).toEqual([]);
});

it('a version that was released has the contracts that were released', () => {
  const isReleased = readReleases().some((release) => release.version === currentVersion());
  if (isReleased) expect(current).toEqual(released);
});

/** Its contents stay as they are, whatever is released later. */
const base = readSnapshot(releasedSnapshotFile('0.1.0'));

function planted(plant: Plant, revision = base.revision): ContractsSnapshot {
  const copy = JSON.parse(JSON.stringify({ ...base, revision })) as Json;
  plant(copy);
  return JSON.parse(JSON.stringify(copy)) as ContractsSnapshot;
}

it.each(breaking)('notices, also with a raised revision: %s', (_name, plant, problem) => {
  const texts = textsOf(base, planted(plant, base.revision + 1), none, version);
  expect(texts).toEqual([expect.stringMatching(problem)]);
});

it.each(curable)('asks for a raised revision: %s', (_name, plant, problem) => {
  const texts = textsOf(base, planted(plant), none, version);
  expect(texts).toEqual([expect.stringMatching(problem)]);
  expect(textsOf(base, planted(plant, base.revision + 1), none, version)).toEqual([]);
});

it.each(harmless)('lets pass: %s', (_name, plant) => {
  expect(textsOf(base, planted(plant), none, version)).toEqual([]);
});

it('the revision never falls', () => {
  expect(
    textsOf(
      released,
      planted(() => undefined, 1),
      none,
      version,
    ),
  ).toEqual(['messageRevision is lower: it only rises']);
});

it('lets go of a message or a field once a release is out that no longer uses it', () => {
  const now = planted((s) => {
    delete at(s, 'messages')['billing.charge'];
    delete at(s, 'messages', 'billing.settle', 'payload', 'properties').settlements;
  });
  const problems = textsOf(base, now, none, version);
  const retired = (unused_since: string): Exceptions => ({
    retired: problems.map((problem) => ({ problem, unused_since })),
    accepted: [],
  });
  expect(textsOf(base, now, retired('0.10.0'), '0.9.0')).toEqual(problems);
  expect(textsOf(base, now, retired('0.10.0'), '0.10.0')).toEqual([]);
});
