import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames } from '@app/local-stack';
import { parse } from 'yaml';
import { contentOf, nodeVersionOfImages, readDockerfile } from './dockerfile.js';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}
interface Job {
  readonly steps: readonly Step[];
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: {
    readonly matrix: { readonly node?: readonly string[]; readonly image?: readonly string[] };
  };
}
interface Workflow {
  readonly on: {
    readonly schedule?: readonly { readonly cron: string }[];
    readonly push?: { readonly tags?: readonly string[]; readonly branches?: readonly string[] };
  };
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const directory = '.github/workflows';
const workflows = readdirSync(directory).map((file) => [file, read(file)] as const);
const nodeOfImages = nodeVersionOfImages(readDockerfile());

function read(file: string): Workflow {
  return parse(readFileSync(join(directory, file), 'utf8')) as Workflow;
}

function stepsOf({ jobs }: Workflow): Step[] {
  return Object.values(jobs).flatMap(({ steps }) => steps);
}

function commandsOf(workflow: Workflow): string {
  return stepsOf(workflow)
    .map(({ run }) => run ?? '')
    .join('\n');
}

it('everything is tested on the oldest Node.js of each line that is accepted, and on that of the images', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  const oldest = engines.node
    .split('||')
    .filter((text) => text.includes('^'))
    .map((text) => `${text.replace('^', '').trim()}.0`.split('.').slice(0, 3).join('.'));
  const { test } = read('ci.yml').jobs;
  expect(test?.strategy?.matrix.node).toEqual([...oldest, nodeOfImages]);
  expect(test?.steps.at(-1)?.run).toBe('.ci/run');
});

it('the containers are built and tested from the compose file', () => {
  expect(commandsOf(read('ci.yml'))).toContain('npm run test:e2e -- --target compose');
});

it('outdated and vulnerable packages and images are looked for once a week', () => {
  const weekly = read('weekly.yml');
  expect(weekly.on.schedule?.[0]?.cron).toMatch(/^\d+ \d+ \* \* [0-6]$/);
  for (const command of ['npm outdated', 'npm audit', 'tools/task.mjs outdated-images']) {
    expect(commandsOf(weekly)).toContain(command);
  }
  expect(stepsOf(weekly).some(({ uses }) => uses?.startsWith('anchore/scan-action@'))).toBe(true);
});

it('the long suites have the history, which has the commit of the last release', () => {
  const checkout = stepsOf(read('nightly.yml')).find(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkout?.with?.['fetch-depth']).toBe(0);
});

describe('the images of a release', () => {
  const { on, jobs } = read('images.yml');
  const { publish } = jobs;
  const command = publish?.steps.at(-1)?.run ?? '';

  it('are built for a tag, once everything is tested, one of each service and of the command line', () => {
    expect(on.push).toEqual({ tags: ['v*'] });
    expect(jobs.test?.steps.at(-1)?.run).toBe('.ci/run');
    expect(publish?.needs).toBe('test');
    expect(publish?.strategy?.matrix.image?.toSorted()).toEqual([...serviceNames, 'cli'].toSorted());
    expect(commandsOf(read('images.yml'))).toContain('"v$(jq --raw-output .version package.json)"');
  });

  it('have a list of what they consist of, how they were built, and every label', () => {
    for (const option of ['--sbom=true', '--provenance=mode=max', '--target "$IMAGE"', 'push=true']) {
      expect(command).toContain(option);
    }
    const given = [...command.matchAll(/--build-arg (\w+)=/g)].map(([, name]) => name);
    const { instructions } = contentOf(readDockerfile(), 'service');
    const args = instructions
      .filter(({ keyword }) => keyword === 'ARG')
      .map(({ text }) => text.split('=')[0]);
    expect(given).toEqual(args);
  });

  it('are the same for the same commit', () => {
    expect(command).toContain('SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)');
    expect(command).toContain('rewrite-timestamp=true');
  });
});

it('only the job that publishes images may write, and only packages', () => {
  const more = workflows.flatMap(([file, { jobs }]) =>
    Object.entries(jobs).flatMap(([name, { permissions }]) =>
      permissions ? [[file, name, permissions]] : [],
    ),
  );
  expect(more).toEqual([['images.yml', 'publish', { contents: 'read', packages: 'write' }]]);
});

describe.each(workflows)('%s', (_file, workflow) => {
  it('may read the repository and nothing else', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('uses actions by their commit, so that a tag that is moved changes nothing', () => {
    const used = stepsOf(workflow).flatMap(({ uses }) => uses ?? []);
    expect(used.filter((name) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([]);
  });

  it('names no single Node.js version other than that of the images', () => {
    const versions = stepsOf(workflow).flatMap((step) => step.with?.['node-version'] ?? []);
    const allowed = [nodeOfImages, '${{ matrix.node }}'];
    expect(versions.filter((version) => !allowed.includes(String(version)))).toEqual([]);
  });
});
