import { parseArgs } from 'node:util';
import { fail } from '../bootstrap/run.mjs';
import { buildProjects, projectNamed } from '../building/build-projects.js';

const usage = `Usage: npm run build -- [--force] [project ...]

Builds gateway, catalog, billing, tools and bench into dist/, and the client's package into libs/client/dist/; or the named
ones alone.
Projects unchanged since their last build are skipped.

  --force   build unchanged projects too
`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { force: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(usage);
  } else {
    const names = positionals.length > 0 ? positionals.map(projectNamed) : undefined;
    await buildProjects({ names, force: values.force });
  }
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
