import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { eventually } from '#testing';
import { StubProgram } from './support/stub-program.js';

/** No suite has this name: only what happens around the suites is tested here. */
const noSuite = ['no-suite-has-this-name', '--passWithNoTests'];
const secretsOfOperators = 'deploy/compose/secrets';

let docker: StubProgram;
let running: ChildProcess[] = [];

afterEach(() => {
  for (const { pid, exitCode } of running) if (pid && exitCode === null) process.kill(-pid, 'SIGKILL');
  running = [];
  docker.remove();
});

/** `npm run test:e2e -- --target compose`, in a group of processes of its own, as a terminal starts it. */
function startTests(parameters = noSuite): ChildProcess {
  const tests = spawn(
    process.execPath,
    ['tools/task.mjs', 'test-e2e', '--target', 'compose', ...parameters],
    {
      env: docker.environment,
      stdio: 'ignore',
      detached: true,
    },
  );
  running.push(tests);
  return tests;
}

async function endOf(tests: ChildProcess): Promise<number | null> {
  const [code] = (await once(tests, 'close')) as [number | null];
  return code;
}

/** The project that each call names; fails for a call that could touch anything else. */
function projectsTouched(): string[] {
  return docker.calls.map(({ parameters }) => {
    const [command, option, name = ''] = parameters;
    if (command === 'image') {
      const tags = parameters.slice(3).map((image) => image.replace(/^creator-search\/[a-z]+:/, ''));
      expect(new Set(tags).size).toBe(1);
      return `creator-search-${tags[0]}`;
    }
    expect([command, option]).toEqual(['compose', '--project-name']);
    return name;
  });
}

function expectOneOwnProject(): string {
  const projects = [...new Set(projectsTouched())];
  expect(projects).toEqual([expect.stringMatching(/^creator-search-test-[0-9a-f]{8}$/)]);
  return projects[0] ?? '';
}

function expectEverythingRemoved(): void {
  expectOneOwnProject();
  const commands = docker.calls.map(({ parameters }) => parameters.slice(-2).join(' '));
  expect(commands).toContain('down --volumes');
  const images = docker.calls.find(({ parameters }) => parameters[0] === 'image');
  expect(images?.parameters.slice(3)).toHaveLength(3);
  for (const file of secretFiles()) expect(existsSync(file)).toBe(false);
}

/** Where the secrets were that the containers were started with. */
function secretFiles(): string[] {
  const overrides = docker.calls.flatMap(({ files }) => files.filter((text) => text.startsWith('{')));
  return overrides.flatMap((text) => {
    const { secrets } = JSON.parse(text) as { secrets: Record<string, { file: string }> };
    return Object.values(secrets).map(({ file }) => file);
  });
}

function stateOfOperatorsSecrets(): unknown {
  if (!existsSync(secretsOfOperators)) return null;
  return [readdirSync(secretsOfOperators), statSync(secretsOfOperators).mtimeMs];
}

function expectCalled(command: string): void {
  expect(docker.calls.flatMap(({ parameters }) => parameters)).toContain(command);
}

it('two runs have two projects with names, ports and secrets of their own, whatever the environment says, and remove them', async () => {
  docker = new StubProgram('docker');
  const before = stateOfOperatorsSecrets();
  const foreign = ['COMPOSE_PROJECT_NAME', 'COMPOSE_FILE', 'COMPOSE_PROFILES', 'MCP', 'SIGN_UP'];
  for (const name of foreign) process.env[name] = 'creator-search';
  try {
    expect(await endOf(startTests())).toBe(0);
    expectEverythingRemoved();
    expect(await endOf(startTests())).toBe(0);
  } finally {
    for (const name of foreign) delete process.env[name];
  }
  expect(new Set(projectsTouched()).size).toBe(2);
  const variables = docker.calls[0]?.variables ?? {};
  expect(foreign.filter((name) => name in variables)).toEqual([]);
  expect(variables.VERSION).toMatch(/^test-/);
  expect(variables.PUBLIC_PORT).toMatch(/^127\.0\.0\.1:\d+$/);
  expect([variables.PUBLIC_PORT, variables.ADMIN_PORT].join()).not.toMatch(/\b300[01]\b/);
  expect(secretFiles().length).toBeGreaterThan(5);
  expect(secretFiles().filter((file) => dirname(file).includes(secretsOfOperators))).toEqual([]);
  expect(stateOfOperatorsSecrets()).toEqual(before);
}, 60_000);

it.each([
  ['containers that do not start', `return parameters.includes('up') ? 1 : 0;`, noSuite],
  ['failed tests', '', noSuite.slice(0, 1)],
])(
  'the run fails for %s, and the containers are removed',
  async (_what, behaviour, parameters) => {
    docker = new StubProgram('docker', behaviour);
    expect(await endOf(startTests(parameters))).toBe(1);
    expectEverythingRemoved();
  },
  60_000,
);

it('Ctrl-C removes the containers, also when it is pressed twice', async () => {
  docker = new StubProgram(
    'docker',
    `
    if (parameters.includes('down')) return new Promise((resolve) => setTimeout(resolve, 300));
    if (parameters.includes('up')) return new Promise((resolve) => process.once('SIGINT', () => resolve(130)));`,
  );
  const tests = startTests();
  const ended = endOf(tests);
  for (const command of ['up', 'down']) {
    await eventually(() => expectCalled(command), 30_000);
    process.kill(-(tests.pid ?? 0), 'SIGINT');
  }
  expect(await ended).not.toBe(0);
  expectEverythingRemoved();
}, 60_000);
