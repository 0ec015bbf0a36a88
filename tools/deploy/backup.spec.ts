import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CronJob } from 'kubernetes-models/batch/v1/CronJob';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { readComposeFile } from './compose-file.fixture.js';
import { build, canBuild, kubernetes } from './kustomize.fixture.js';

// kubectl is started.
jest.setTimeout(60_000);

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

const directory = 'deploy/backup';
const archiving = readFileSync(join(directory, 'postgresql.conf'), 'utf8');
/** The settings for archiving, as `name=value`. */
const settings = [...archiving.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(
  ([, name, value]) => `${name}=${value}`,
);

describe('deploy/compose/backup.yml', () => {
  const file = readComposeFile('deploy/compose/backup.yml');
  const { postgres, backup } = file.services;
  const compose = readComposeFile();

  it('has PostgreSQL archive as elsewhere, with the settings that it had', () => {
    expect(settings).toHaveLength(3);
    expect(postgres?.command).toEqual(expect.arrayContaining([...settings]));
    expect(postgres?.command).toEqual(
      expect.arrayContaining([...(compose.services.postgres?.command ?? [])]),
    );
  });

  it('backs up in a container without rights, which can change nothing but the repository', () => {
    expect(backup).toMatchObject({
      user: 'postgres',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      image: postgres?.image,
    });
    expect(backup?.volumes).toContain('postgres:/var/lib/postgresql/data:ro');
    for (const volume of postgres?.volumes ?? []) expect(backup?.volumes).toContain(volume);
  });

  it('gives its passphrase to nothing else', () => {
    expect(Object.keys(file.secrets)).toEqual(['backup_repository']);
    expect(JSON.stringify(compose.services)).not.toContain('backup_repository');
  });
});

const whenBuilt = canBuild ? it : it.skip;

whenBuilt(
  'the component of Kubernetes dumps with the script of every installation, never in plain text',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'kubernetes-'));
    try {
      cpSync(kubernetes, root, { recursive: true });
      const overlay = join(root, 'overlays/production');
      const file = join(overlay, 'kustomization.yaml');
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace('# - ../../components/backup', '- ../../components/backup'),
      );
      const manifests = build<Manifest>(overlay);
      const models = { CronJob, ConfigMap, NetworkPolicy, PersistentVolumeClaim };
      const found = manifests.filter(({ metadata }) => metadata.name.startsWith('backup'));
      expect(found.map(({ kind }) => kind).sort()).toEqual(Object.keys(models).sort());
      for (const manifest of found) {
        const Model = models[manifest.kind as keyof typeof models];
        expect(() => new Model(manifest as never).validate()).not.toThrow();
      }
      const script = found.find(({ kind }) => kind === 'ConfigMap')?.data?.['backup.sh'];
      expect(script).toBe(readFileSync(join(directory, 'backup.sh'), 'utf8'));
      const job = JSON.stringify(found.find(({ kind }) => kind === 'CronJob'));
      expect(job).toContain(
        '{"name":"BACKUP_PUBLIC_KEY","valueFrom":{"configMapKeyRef":{"key":"public_key","name":"backup-public-key"}}}',
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);
