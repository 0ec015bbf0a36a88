import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOrThrow, serviceNames } from '#dev';
import { ImagePrograms } from './support/image-programs.js';

// Scripts and services are started.
jest.setTimeout(60_000);

describe('the programs in our images', () => {
  /** Outside this checkout, so that nothing else is found. */
  const directory = mkdtempSync(join(tmpdir(), 'images-'));

  beforeAll(async () => {
    for (const service of serviceNames) {
      const copy = ['tools/images/copy-program.mjs', service, join(directory, service)];
      await runOrThrow(process.execPath, copy);
    }
    // Every file that a program may load is looked at, four times: minutes on a busy machine.
  }, 600_000);

  afterAll(() => rmSync(directory, { recursive: true }));

  it('are enough to migrate and to start each service', async () => {
    const programs = new ImagePrograms(directory);
    try {
      for (const service of ['catalog', 'billing', 'gateway', 'website'] as const) {
        await programs.start(service);
      }
    } finally {
      await programs.stop();
    }
  });

  it.each([
    ['gateway', ['typeorm', 'pg', 'stripe', 'nodemailer', 'preact', 'openid-client', '@fastify/cookie']],
    ['website', ['typeorm', 'pg', 'stripe', 'nodemailer', '@modelcontextprotocol/server']],
    ['catalog', ['preact', '@modelcontextprotocol/server', 'openid-client', 'stripe']],
    ['billing', ['preact', '@modelcontextprotocol/server', 'openid-client']],
  ] as const)('have, for %s, no packages that only other services need', (service, ofOthers) => {
    const packages = join(directory, service, 'node_modules');
    expect(existsSync(join(packages, '@nestjs/core'))).toBe(true);
    expect(ofOthers.filter((name) => existsSync(join(packages, name)))).toEqual([]);
  });
});
