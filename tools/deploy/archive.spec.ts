import { once } from 'node:events';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { readComposeFile } from './compose-file.fixture.js';
import { build, canBuild, kubernetes } from './kustomize.fixture.js';
import { readUnit, unitOf, units, valueOf, variablesOf } from './systemd.fixture.js';

// kubectl is started.
jest.setTimeout(60_000);

const program = 'dist/apps/billing/src/archive.js';

describe('deploy/compose/archive.yml', () => {
  const { billing, 'billing-archive': job } = readComposeFile('deploy/compose/archive.yml').services;
  const compose = readComposeFile();

  it('lets only the job write to the directory that billing reads, as the owner of the tables', () => {
    const directory = job?.environment?.LEDGER_ARCHIVE_DIRECTORY;
    expect(billing?.environment).toEqual({ LEDGER_ARCHIVE_DIRECTORY: directory });
    expect(billing?.volumes).toEqual([`ledger-archives:${directory}:ro`]);
    expect(job?.volumes).toContain(`ledger-archives:${directory}`);
    // A new volume has the owner that the directory has in the image.
    expect(readFileSync('Dockerfile', 'utf8')).toContain(`--owner=1000 --group=1000 /runtime${directory} `);
    expect(job?.secrets).toEqual(compose.services['billing-migrate']?.secrets);
    expect(job?.image).toBe(compose.services.billing?.image);
  });

  it('runs the job once a day', () => {
    const [node, script = '', seconds, ...parameters] = job?.command ?? [];
    expect([node, Number(seconds), ...parameters]).toEqual(['node', 86_400, program]);
    expect(job?.volumes).toContain(`./deploy/compose/${basename(script)}:${script}:ro`);
  });
});

describe('deploy/compose/repeat.mjs', () => {
  let directory: string;
  let running: ChildProcess;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'repeat-'))));
  afterEach(() => {
    running.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });

  /** The lines of a program that is repeated after so many seconds. */
  function repeat(seconds: string, code: string): AsyncIterator<string> {
    const file = join(directory, 'program.mjs');
    writeFileSync(file, code);
    running = spawn(process.execPath, ['deploy/compose/repeat.mjs', seconds, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!running.stdout) throw new Error('no output');
    return createInterface(running.stdout)[Symbol.asyncIterator]();
  }

  it.each([0, 1])('repeats a program that ends with %d', async (code) => {
    const lines = repeat('0.01', `console.log('run'); process.exit(${code});`);
    for (let run = 0; run < 3; run += 1) expect(await lines.next()).toEqual({ done: false, value: 'run' });
  });

  it('ends at once between two runs', async () => {
    const lines = repeat('86400', `console.log('run');`);
    await lines.next();
    running.kill('SIGTERM');
    expect(await once(running, 'exit')).toEqual([null, 'SIGTERM']);
  });
});

describe('the units of systemd', () => {
  const unit = readUnit(unitOf('billing-archive'));
  const read = (name: string) => readFileSync(join(units, name), 'utf8');

  it('let only the job write to the directory that billing reads as a member of its group', () => {
    const { LEDGER_ARCHIVE_DIRECTORY } = variablesOf(unit, (path) => join(units, basename(path)));
    expect(valueOf(unit, 'ReadWritePaths')).toBe(LEDGER_ARCHIVE_DIRECTORY);
    expect(readUnit(unitOf('billing')).get('ReadWritePaths')).toBeUndefined();
    expect(read('archives.conf')).toContain(`\nEnvironmentFile=${valueOf(unit, 'EnvironmentFile')}\n`);
    expect(read('archives.conf')).toContain(`\nSupplementaryGroups=${valueOf(unit, 'User')}\n`);
  });

  it('run the job once a day, also when the machine was off', () => {
    expect(valueOf(unit, 'ExecStart')).toBe(`node ${program}`);
    const timer = read('creator-search-billing-archive.timer');
    expect(timer).toMatch(/^OnCalendar=\*-\*-\* \d\d:\d\d$/m);
    expect(timer).toMatch(/^Persistent=yes$/m);
  });
});

interface Pod {
  readonly containers: readonly {
    readonly image: string;
    readonly command?: readonly string[];
    readonly volumeMounts: readonly object[];
  }[];
  readonly volumes: readonly object[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: { readonly spec: Pod };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: Pod } } };
  };
}

const whenBuilt = canBuild ? describe : describe.skip;

whenBuilt('the component of Kubernetes, in an overlay', () => {
  const root = mkdtempSync(join(tmpdir(), 'kubernetes-'));
  afterAll(() => rmSync(root, { recursive: true }));

  /** The overlay with the component and these lines. */
  function buildWith(more = ''): Manifest[] {
    cpSync(kubernetes, root, { recursive: true });
    const overlay = join(root, 'overlays/production');
    const file = join(overlay, 'kustomization.yaml');
    const text = readFileSync(file, 'utf8').replace(
      '# - ../../components/archive',
      '- ../../components/archive',
    );
    writeFileSync(file, `${text}\n${more}`);
    return build<Manifest>(overlay);
  }

  const find = (manifests: readonly Manifest[], kind: string, name: string): Manifest | undefined =>
    manifests.find((one) => one.kind === kind && one.metadata.name.startsWith(name));

  it('runs the image of billing, and lets only the job write to the volume that billing reads', () => {
    const manifests = buildWith();
    const job = find(manifests, 'CronJob', 'billing-archive');
    expect(() => new CronJob(job as never).validate()).not.toThrow();
    const ofJob = job?.spec?.jobTemplate?.spec.template.spec;
    const ofBilling = find(manifests, 'Deployment', 'billing')?.spec?.template?.spec;
    expect(ofJob?.containers[0]?.image).toBe(ofBilling?.containers[0]?.image);
    expect(ofJob?.containers[0]?.command).toEqual(['node', program]);
    const settings = find(manifests, 'ConfigMap', 'billing');
    const mount = { name: 'ledger-archives', mountPath: settings?.data?.LEDGER_ARCHIVE_DIRECTORY };
    expect(ofJob?.containers[0]?.volumeMounts).toContainEqual(mount);
    expect(ofBilling?.containers[0]?.volumeMounts).toContainEqual({ ...mount, readOnly: true });
    const claimName = find(manifests, 'PersistentVolumeClaim', 'ledger-archives')?.metadata.name;
    expect(ofJob?.volumes).toContainEqual({ name: mount.name, persistentVolumeClaim: { claimName } });
    expect(ofJob?.volumes).toContainEqual({
      name: 'secrets',
      secret: { secretName: 'billing-migrate', defaultMode: 0o440 },
    });
  });

  it('takes the number of months from the overlay, for billing and the job', () => {
    const manifests = buildWith(
      'configMapGenerator: [{ name: billing, behavior: merge, literals: [LEDGER_ONLINE_MONTHS=24] }]',
    );
    const settings = find(manifests, 'ConfigMap', 'billing');
    expect(settings?.data?.LEDGER_ONLINE_MONTHS).toBe('24');
    const reads = `{"configMapKeyRef":{"key":"LEDGER_ONLINE_MONTHS","name":"${settings?.metadata.name}","optional":true}}`;
    expect(JSON.stringify(find(manifests, 'CronJob', 'billing-archive'))).toContain(reads);
  });
});
