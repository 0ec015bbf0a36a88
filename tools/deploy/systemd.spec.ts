import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { serviceNames, serviceNodeOptions } from '@app/local-stack';
import {
  billingArchiveSpecs,
  billingMigrationSpecs,
  billingSpecs,
} from '../../apps/billing/src/config/billing-config.js';
import { catalogMigrationSpecs, catalogSpecs } from '../../apps/catalog/src/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';
import { readComposeFile } from './compose-file.fixture.js';
import { credentialsOf, readUnit, unitOf, units, valueOf, variablesOf } from './systemd.fixture.js';

const specs = {
  gateway: gatewaySpecs,
  catalog: catalogSpecs,
  billing: billingSpecs,
  'catalog-migrate': catalogMigrationSpecs,
  'billing-migrate': billingMigrationSpecs,
  'billing-archive': billingArchiveSpecs,
};
type Part = keyof typeof specs;
const parts = Object.keys(specs) as Part[];
const migrations = ['catalog-migrate', 'billing-migrate'] as const;
const jobs = [...migrations, 'billing-archive'] as const;
const containers = {
  ...readComposeFile('deploy/compose/archive.yml').services,
  ...readComposeFile().services,
};

const inRepository = (path: string): string => join(units, basename(path));
const megabytes = (text: string): number => parseInt(text, 10) * (text.endsWith('G') ? 1_024 : 1);

it('there is a unit for each service and each job, and no other', () => {
  const found = readdirSync(units).filter((name) => name.endsWith('.service'));
  expect(found.sort()).toEqual(parts.map(unitOf).sort());
});

describe.each(parts)('the unit of %s', (part) => {
  const unit = readUnit(unitOf(part));
  const variables = variablesOf(unit, inRepository);
  const credentials = credentialsOf(unit);

  it('sets only variables that it knows, in production', () => {
    const known = Object.keys(specs[part]);
    // For the C library, not for the service.
    const others = ['NODE_ENV', 'MALLOC_MMAP_THRESHOLD_'];
    const unknown = Object.keys(variables).filter(
      (name) => ![...known, ...others].includes(name.replace(/_FILE$/, '')),
    );
    expect(unknown).toEqual([]);
    expect(variables.NODE_ENV).toBe('production');
  });

  it('reads each of its secrets by one variable', () => {
    const read = Object.values(variables).filter((value) => value.startsWith('%d/'));
    expect(read.sort()).toEqual(
      Object.keys(credentials)
        .map((name) => `%d/${name}`)
        .sort(),
    );
  });

  it('has the secrets and the memory of the same container of the compose file, which make-secrets.sh writes', () => {
    const { secrets = [], deploy } = containers[part] ?? {};
    const files = Object.values(credentials).map((file) => basename(file));
    expect(files.sort()).toEqual([...secrets].sort());
    const memory = deploy?.resources?.limits?.memory;
    if (memory !== undefined) expect(megabytes(valueOf(unit, 'MemoryMax'))).toBe(megabytes(memory));
  });

  it('is bounded, without rights, and without what a just-in-time compiler does not survive', () => {
    expect(unit.get('DynamicUser')).toEqual(['yes']);
    expect(unit.get('NoNewPrivileges')).toEqual(['yes']);
    expect(unit.get('ProtectSystem')).toEqual(['strict']);
    expect(unit.get('CapabilityBoundingSet')).toEqual(['']);
    expect(unit.get('MemoryDenyWriteExecute')).toBeUndefined();
    for (const limit of ['MemoryMax', 'TasksMax', 'SystemCallFilter', 'RestrictAddressFamilies']) {
      expect(valueOf(unit, limit)).not.toBe('');
    }
  });
});

it.each(serviceNames)('%s starts as its image does, and is restarted when it ends', (service) => {
  const unit = readUnit(unitOf(service));
  const command = ['node', ...serviceNodeOptions[service], `dist/apps/${service}/src/main.js`];
  expect(valueOf(unit, 'ExecStart')).toBe(command.join(' '));
  expect(valueOf(unit, 'Restart')).toBe('always');
});

it('a gateway may open as many files as it has connections', () => {
  const { MAX_CONNECTIONS } = gatewaySpecs;
  const limit = Number(valueOf(readUnit(unitOf('gateway')), 'LimitNOFILE'));
  expect(limit).toBeGreaterThanOrEqual(Number(MAX_CONNECTIONS.default) + 200);
});

it("only the jobs have the owners' secrets, and end when they are done", () => {
  const owners = parts.filter((part) =>
    Object.values(credentialsOf(readUnit(unitOf(part)))).some((file) => /migration|owner/.test(file)),
  );
  expect(owners).toEqual(jobs);
  for (const part of jobs) expect(valueOf(readUnit(unitOf(part)), 'Type')).toBe('oneshot');
  for (const part of migrations) {
    const { RUNTIME_ROLE } = variablesOf(readUnit(unitOf(part)), inRepository);
    expect(RUNTIME_ROLE).toBe(part.replace('-migrate', ''));
  }
});
