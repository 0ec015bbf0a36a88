import { readFileSync } from 'node:fs';
import { currentVersion, readReleases } from '../version/releases.js';
import { type Exception, problemsOf } from './compatibility.js';
import { at, breaking, curable, harmless, type Json, type Plant } from './planted-changes.fixture.js';
import { type ContractsSnapshot, readSnapshot, releasedSnapshotFile } from './snapshot.js';

const exceptionsFile = 'libs/contracts/released/exceptions.json';
const exceptions = JSON.parse(readFileSync(exceptionsFile, 'utf8')) as Exception[];
const current = readSnapshot();
// Until the first release nothing has to be understood but this version.
const [last] = readReleases();
const released = last ? readSnapshot(releasedSnapshotFile(last.version)) : current;

const textsOf = (...given: Parameters<typeof problemsOf>): string[] =>
  problemsOf(...given).map(({ text }) => text);

// If it fails: keep what the last release needs, raise `messageRevision`, or see "A message that changes" in libs/contracts/README.md.
it('services of the last release and of this version understand each other', () => {
  expect(textsOf(released, current, exceptions)).toEqual([]);
});

it('has no exception that nothing needs any longer', () => {
  const needed = new Set(problemsOf(released, current, []).map(({ text }) => text));
  const texts = exceptions.map(({ problem }) => problem);
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
  const [found = '', ...others] = textsOf(current, planted(plant, current.revision + 1), []);
  expect([found.slice(0, problem.length), others]).toEqual([problem, []]);
});

it.each(curable)('asks for a raised revision: %s', (problem, plant) => {
  const [found = '', ...others] = textsOf(current, planted(plant), []);
  expect([found.slice(0, problem.length), others]).toEqual([problem, []]);
  expect(textsOf(current, planted(plant, current.revision + 1), [])).toEqual([]);
});

it.each(harmless)('lets pass: %s', (_name, plant) => {
  expect(textsOf(current, planted(plant), [])).toEqual([]);
});

it.each([
  [-1, 'messageRevision is lower: it only rises'],
  [2, 'messageRevision has risen twice: replicas have leases for the one before only'],
])('notices a revision that changes by %i', (change, problem) => {
  const now = planted(() => undefined, current.revision + change);
  expect(textsOf(current, now, [])).toEqual([problem]);
});

it('lets a change pass that is an exception', () => {
  const now = planted((s) => delete at(s, 'messages')['billing.charge']);
  const [problem = ''] = textsOf(current, now, []);
  expect(textsOf(current, now, [{ problem, because: 'nothing has sent it since the last release' }])).toEqual(
    [],
  );
});
