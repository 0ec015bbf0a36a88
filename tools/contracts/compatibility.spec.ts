import { readFileSync } from 'node:fs';
import { currentVersion, readReleases } from '../version/releases.js';
import { type Exceptions, problemsOf } from './compatibility.js';
import { at, breaking, curable, harmless, type Json, type Plant } from './planted-changes.fixture.js';
import { type ContractsSnapshot, readSnapshot, releasedSnapshotFile } from './snapshot.js';

const exceptionsFile = 'libs/contracts/released/exceptions.json';
const exceptions = JSON.parse(readFileSync(exceptionsFile, 'utf8')) as Exceptions;
const current = readSnapshot();
// Until the first release nothing has to be understood but this version.
const [last] = readReleases();
const version = last?.version ?? currentVersion();
const released = last ? readSnapshot(releasedSnapshotFile(version)) : current;
const none: Exceptions = { retired: [], accepted: [] };

const textsOf = (...given: Parameters<typeof problemsOf>): string[] =>
  problemsOf(...given).map(({ text }) => text);

// If it fails: keep what the last release needs, raise `messageRevision`, or see "A message that changes" in libs/contracts/README.md.
it('services of the last release and of this version understand each other', () => {
  expect(textsOf(released, current, exceptions, version)).toEqual([]);
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

function planted(plant: Plant, revision = current.revision): ContractsSnapshot {
  const copy = JSON.parse(JSON.stringify({ ...current, revision })) as Json;
  plant(copy);
  return JSON.parse(JSON.stringify(copy)) as ContractsSnapshot;
}

it.each(breaking)('notices, also with a raised revision: %s', (problem, plant) => {
  const [found = '', ...others] = textsOf(current, planted(plant, current.revision + 1), none, version);
  expect([found.slice(0, problem.length), others]).toEqual([problem, []]);
});

it.each(curable)('asks for a raised revision: %s', (problem, plant) => {
  const [found = '', ...others] = textsOf(current, planted(plant), none, version);
  expect([found.slice(0, problem.length), others]).toEqual([problem, []]);
  expect(textsOf(current, planted(plant, current.revision + 1), none, version)).toEqual([]);
});

it.each(harmless)('lets pass: %s', (_name, plant) => {
  expect(textsOf(current, planted(plant), none, version)).toEqual([]);
});

it.each([
  [-1, 'messageRevision is lower: it only rises'],
  [2, 'messageRevision has risen twice: replicas have leases for the one before only'],
])('notices a revision that changes by %i', (change, problem) => {
  const now = planted(() => undefined, current.revision + change);
  expect(textsOf(current, now, none, version)).toEqual([problem]);
});

it('lets go of a message or a field once a release is out that no longer uses it', () => {
  const now = planted((s) => {
    delete at(s, 'messages')['billing.charge'];
    delete at(s, 'messages', 'billing.settle', 'payload', 'properties').settlements;
  });
  const problems = textsOf(current, now, none, version);
  const retired = (unused_since: string): Exceptions => ({
    retired: problems.map((problem) => ({ problem, unused_since })),
    accepted: [],
  });
  expect(textsOf(current, now, retired('0.10.0'), '0.9.0')).toEqual(problems);
  expect(textsOf(current, now, retired('0.10.0'), '0.10.0')).toEqual([]);
});
