import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { type ServiceName, serviceNames } from '@app/local-stack';
import { run } from '../bootstrap/run.mjs';
import { stageCli } from '../images/cli-package.mjs';
import { copyPackages, readPackage } from '../images/service-packages.mjs';

/** What an installation without containers needs besides the services: units, roles of PostgreSQL, users of Redis, backups. */
const deployed = [
  'deploy/systemd',
  'deploy/compose/make-secrets.sh',
  'deploy/compose/create-databases.sh',
  'deploy/backup',
];

/** Of every file in a package; npm's are of that time too. The same sources give the same bytes. */
const modified = '1985-10-26T08:15:00Z';

/**
 * Packs the builds of the services with what they need, and the command line, each as one file, and writes their checksums
 * beside them. Returns the paths. Throws when a package can't be made.
 */
export async function makePackages(output: string): Promise<string[]> {
  mkdirSync(output, { recursive: true });
  const staging = join(output, 'staging');
  rmSync(staging, { recursive: true, force: true });
  try {
    const files = [await packServices(staging, output), await packCli(staging, output)];
    const sums = join(output, 'SHA256SUMS');
    writeFileSync(sums, files.map((file) => `${sha256(file)}  ${basename(file)}\n`).join(''));
    return [...files, sums];
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function packServices(staging: string, output: string): Promise<string> {
  const { name, version, description, license, type, engines } = readPackage('.');
  const folder = `creator-search-${version}`;
  const directory = join(staging, folder);
  for (const service of serviceNames) addBuild(service, join(directory, 'dist'));
  copyPackages(join(directory, 'dist'), join(directory, 'node_modules'));
  for (const path of ['LICENSE', ...deployed]) cpSync(path, join(directory, path), { recursive: true });
  const own = { name, version, description, license, private: true, type, engines };
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  const file = join(output, `${folder}.tar.gz`);
  await runOrThrow('tar', [
    ...['--create', '--file', file, '--use-compress-program', 'gzip --no-name -9', '--directory', staging],
    ...['--format=ustar', '--sort=name', `--mtime=${modified}`, '--mode=u=rwX,go=rX'],
    ...['--owner=0', '--group=0', '--numeric-owner', folder],
  ]);
  return file;
}

/** Adds a build to those of other services: what they share was compiled from the same sources. */
function addBuild(service: ServiceName, destination: string): void {
  const build = join('dist/apps', service);
  for (const entry of readdirSync(build, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(destination, relative(build, from));
    if (existsSync(to) && !readFileSync(to).equals(readFileSync(from))) {
      throw new Error(`${from} differs from that of another service: npm run build -- --force`);
    }
    cpSync(from, to);
  }
}

async function packCli(staging: string, output: string): Promise<string> {
  const directory = join(staging, 'cli');
  stageCli('dist/tools', directory);
  const { name, version } = readPackage(directory);
  await runOrThrow('npm', ['pack', directory, '--ignore-scripts', '--pack-destination', output]);
  return join(output, `${name}-${version}.tgz`);
}

async function runOrThrow(command: string, parameters: readonly string[]): Promise<void> {
  const { code, output } = await run(command, parameters, { quiet: true });
  if (code !== 0) throw new Error(`${command} failed:\n${output}`);
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
