import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fail } from '../bootstrap/run.mjs';
import { describeContracts } from '../contracts/describe-contracts.js';
import { releasedSnapshotFile, snapshotFile } from '../contracts/snapshot.js';
import { formatted } from '../docs/generated-files.js';
import { currentVersion, git, problemsOfRelease, readReleases, releasesFile } from '../version/releases.js';

// Records HEAD as the release of the version in package.json and CHANGELOG.md. Commit what it writes, then raise the version for
// what comes next: npm version --no-git-tag-version minor && npm run docs
const version = currentVersion();
const snapshot = await formatted(snapshotFile, JSON.stringify(describeContracts()));
const problems = [
  ...problemsOfRelease(git('status', '--porcelain') === ''),
  ...(readFileSync(snapshotFile, 'utf8') === snapshot
    ? []
    : [`${snapshotFile} is not what libs/contracts says: npm run docs`]),
];
if (problems.length > 0) fail(problems.join('\n'));

const releases = [{ version, commit: git('rev-parse', 'HEAD') }, ...readReleases()];
writeFileSync(releasesFile, await formatted(releasesFile, JSON.stringify(releases)));
copyFileSync(snapshotFile, releasedSnapshotFile(version));
process.stdout.write(
  `${version} is ${releases[0]?.commit}: commit what was written, and tag that commit v${version}.\n`,
);
