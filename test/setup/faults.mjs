import { buildProjects } from '../../tools/bootstrap/build-projects.mjs';

/** The suite starts its stacks itself, to do them harm; only the services have to be there. */
export default async function setup() {
  await buildProjects({ names: ['gateway', 'catalog', 'billing'] });
}
