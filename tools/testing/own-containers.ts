import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { freePorts } from '#dev';
import { stringify } from 'yaml';
import { root } from '../bootstrap/paths.mjs';
import { run } from '../bootstrap/run.mjs';
import { readComposeFile } from './compose-file.js';

const composeFile = join(root, 'docker-compose.yml');
const registry = 'creator-search';
/** Variables that would select another project, or extend this one. */
const variablesOfOthers = ['COMPOSE_FILE', 'COMPOSE_PROJECT_NAME', 'COMPOSE_PROFILES', 'COMPOSE_ENV_FILES'];

/**
 * The containers of docker-compose.yml for one test run, with a separate project, images, ports, volumes and secrets:
 * other containers of the same file on this machine are neither used nor touched.
 */
export class OwnContainers {
  private readonly name = `test-${randomBytes(4).toString('hex')}`;
  private readonly project = `creator-search-${this.name}`;
  private readonly directory = mkdtempSync(join(tmpdir(), `${this.project}-`));
  private readonly compose = readComposeFile(composeFile);

  /** Builds and starts them, and resolves to the variables by which the suites find them. Throws on failure. */
  async start(signal: AbortSignal): Promise<Record<string, string>> {
    const ports = await freePorts(4);
    const [publicPort, adminPort, sitePort] = ports;
    await this.makeSecrets();
    this.writeOverrides(ports);
    process.stdout.write(`Starting the containers of ${this.project} ...\n`);
    const started = await this.docker(this.inProject('up', '--build', '--detach', '--wait'), { signal });
    if (started.code !== 0) {
      const logs = signal.aborted ? '' : (await this.docker(this.inProject('logs', '--tail', '40'))).output;
      throw new Error(`${logs}\n${started.output}\nThe containers could not be started.`);
    }
    return {
      BASE_URL: `http://127.0.0.1:${publicPort}`,
      SITE_BASE_URL: `http://127.0.0.1:${sitePort}`,
      ADMIN_URL: `http://127.0.0.1:${adminPort}`,
      ADMIN_TOKEN: readFileSync(join(this.directory, 'secrets/admin_token'), 'utf8').trim(),
    };
  }

  /** Removes everything created for them, even after a failed start. Throws when something may be left. */
  async remove(): Promise<void> {
    // In a separate process group, so that a second Ctrl-C does not interrupt it.
    const options = { detached: true };
    const down = await this.docker(this.inProject('down', '--volumes'), options);
    await this.docker(['image', 'rm', '--force', ...this.images], options);
    rmSync(this.directory, { recursive: true, force: true });
    if (down.code !== 0) {
      const command = `docker compose --project-name ${this.project} down --volumes`;
      throw new Error(`${down.output}\nSomething may be left: \`${command}\` removes it.`);
    }
  }

  private get images(): string[] {
    const built = Object.values(this.compose.services).filter(({ build }) => build);
    const names = built.map(({ image }) => /\/([a-z-]+):/.exec(image)?.[1] ?? '');
    return [...new Set(names.map((name) => `${registry}/${name}:${this.name}`))];
  }

  /** Variables that the shell would set for the services: the containers have the defaults, whatever it has. */
  private get variablesOfServices(): string[] {
    return Object.values(this.compose.services).flatMap(({ environment = {} }) =>
      Object.entries(environment).flatMap(([name, value]) => (value === null ? [name] : [])),
    );
  }

  private async makeSecrets(): Promise<void> {
    const { code, output } = await run(
      join(root, 'deploy/compose/make-secrets.sh'),
      [join(this.directory, 'secrets')],
      {
        quiet: true,
      },
    );
    if (code !== 0) throw new Error(output);
  }

  /** The suites call gateway and website themselves; the front, which has to become healthy too, has another port than its own. */
  private writeOverrides([publicPort, adminPort, sitePort, frontPort]: readonly number[]): void {
    const at = (port: number | undefined, inside: number) => `127.0.0.1:${port}:${inside}`;
    const SITE_URL = `http://127.0.0.1:${sitePort}`;
    const environment = { SITE_URL, PUBLIC_URL: `http://127.0.0.1:${publicPort}`, TRUST_PROXY: '' };
    const services = {
      gateway: { environment, networks: ['public'], ports: [at(publicPort, 3_000), at(adminPort, 3_001)] },
      website: { environment, ports: [at(sitePort, 3_002)] },
      catalog: { environment: { SITE_URL } },
      billing: { environment: { SITE_URL } },
    };
    const secrets = Object.entries(this.compose.secrets).map(
      ([name, { file }]) => [name, { file: join(this.directory, 'secrets', basename(file)) }] as const,
    );
    const text = stringify({ services, secrets: Object.fromEntries(secrets) });
    const front = `  front: { ports: !override ['${at(frontPort, 443)}'] }\n`;
    writeFileSync(this.overrides, text.replace('services:\n', `services:\n${front}`));
  }

  private get overrides(): string {
    return join(this.directory, 'overrides.yml');
  }

  private inProject(...parameters: readonly string[]): string[] {
    const files = ['--file', composeFile, '--file', this.overrides];
    return ['compose', '--project-name', this.project, '--env-file', '/dev/null', ...files, ...parameters];
  }

  private docker(
    parameters: readonly string[],
    options: { readonly signal?: AbortSignal; readonly detached?: boolean } = {},
  ): ReturnType<typeof run> {
    const env: NodeJS.ProcessEnv = { ...process.env };
    for (const name of [...variablesOfOthers, ...this.variablesOfServices]) delete env[name];
    Object.assign(env, { REGISTRY: registry, VERSION: this.name });
    return run('docker', parameters, { quiet: true, env, ...options });
  }
}
