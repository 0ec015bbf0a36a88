import { migrationConfig } from '@app/platform';
import { type ValidatorSpec } from 'envalid';
import { billingSpecs } from '../../apps/billing/src/config/billing-config.js';
import { catalogSpecs } from '../../apps/catalog/src/config/catalog-config.js';
import { gatewaySpecs } from '../../apps/gateway/src/config/gateway-config.js';

type Specs = Readonly<Record<string, ValidatorSpec<unknown>>>;

interface Variable {
  readonly name: string;
  readonly services: readonly string[];
  /** `undefined`: it has to be set. */
  readonly fallback: string | undefined;
  /** Defaults that differ: `gateway 9000, catalog 9001`; else empty. */
  readonly perService: string;
  readonly description: string;
}

const services: Readonly<Record<string, Specs>> = {
  gateway: gatewaySpecs,
  catalog: catalogSpecs,
  billing: billingSpecs,
};
const all = Object.keys(services);
/** What else runs with variables of its own, beside those of its service. */
const jobs: Readonly<Record<string, Specs>> = { 'migration jobs': migrationConfig };

/** Every variable of every service, those that all have first. */
function variables(): Variable[] {
  const readers = { ...services, ...jobs };
  const names = [...new Set(Object.values(readers).flatMap((specs) => Object.keys(specs)))];
  const found = names.map((name): Variable => {
    const having = Object.entries(readers).filter(([, specs]) => name in specs);
    const spec = having[0]?.[1][name];
    const defaults = new Set(having.map(([, specs]) => defaultOf(specs[name])));
    return {
      name,
      services: having.map(([service]) => service),
      fallback: defaultOf(spec),
      perService:
        defaults.size > 1
          ? having.map(([service, specs]) => `${service} ${defaultOf(specs[name])}`).join(', ')
          : '',
      description: spec?.desc ?? '',
    };
  });
  return found.sort((one, other) => other.services.length - one.services.length);
}

/** `undefined`: it has to be set. */
function defaultOf(spec: ValidatorSpec<unknown> | undefined): string | undefined {
  if (!spec || !('default' in spec)) return undefined;
  return String((spec.default as string | number | undefined) ?? '');
}

/** `docs/configuration.md`. */
export function configurationPage(): string {
  const rows = variables().map(({ name, services: having, fallback, perService, description }) => {
    const whose = all.every((service) => having.includes(service)) ? 'all' : having.join(', ');
    const value =
      perService !== ''
        ? perService
        : fallback === undefined
          ? '**needed**'
          : fallback === ''
            ? 'none'
            : `\`${fallback}\``;
    return `| \`${name}\` | ${whose} | ${value} | ${description.replaceAll('|', '\\|')} |`;
  });
  return [
    '# Configuration',
    '',
    'Each service reads its own variables, once, at its start. Every variable that is missing or not valid is named, all at once,',
    'with what is expected, and the process ends with 1. `NAME_FILE` gives the path of a file that holds the value of `NAME`, as secret',
    'stores mount them; setting both is an error. `node main.js --print-config` shows what a service would start with, its secrets hidden.',
    '',
    'This page and `.env.example` are written by `npm run docs` from what the services check.',
    '',
    '| Variable | Service | Default | What it is |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** `.env.example`: what has to be set, and everything else with its default, commented out. */
export function exampleEnvironment(): string {
  const blocks = variables().map(({ name, services: having, fallback, perService, description }) => {
    const comment = `# ${having.join(', ')}: ${description}`;
    if (perService !== '') return `${comment}; default: ${perService}\n#${name}=\n`;
    return `${comment}\n${fallback === undefined ? `${name}=` : `#${name}=${fallback}`}\n`;
  });
  return `# Written by \`npm run docs\`; what is not commented out has to be set.\n\n${blocks.join('\n')}`;
}
