import { parseArgs } from 'node:util';
import { buildProjects } from './bootstrap/build-projects.mjs';
import { checkNode, ensureDependencies } from './bootstrap/prepare.mjs';
import { fail } from './bootstrap/run.mjs';

const usage = `Usage: npm run build -- [--force] [project ...]

Builds gateway, catalog, billing, tools and bench, or the named ones, into dist/.
What has not changed since its last build is skipped.

  --force   build even what has not changed
`;

checkNode();
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { force: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    process.stdout.write(usage);
  } else {
    await ensureDependencies();
    const names = positionals.length > 0 ? positionals : undefined;
    await buildProjects({ names, force: values.force });
  }
} catch (error) {
  fail(error.message);
}
