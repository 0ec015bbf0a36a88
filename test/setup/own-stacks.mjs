import { buildProjects } from '../../tools/bootstrap/build-projects.mjs';

/** These suites start their stacks themselves; only the services have to be there. */
export default async function setup() {
  await buildProjects({ names: ['gateway', 'catalog', 'billing'] });
}
