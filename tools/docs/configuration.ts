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
  readonly description: string;
}

const services: Readonly<Record<string, Specs>> = {
  gateway: gatewaySpecs,
  catalog: catalogSpecs,
  billing: billingSpecs,
};

/** Every variable of every service, those that all have first. */
function variables(): Variable[] {
  const names = [...new Set(Object.values(services).flatMap((specs) => Object.keys(specs)))];
  const all = names.map((name): Variable => {
    const having = Object.entries(services).filter(([, specs]) => name in specs);
    const spec = having[0]?.[1][name];
    return {
      name,
      services: having.map(([service]) => service),
      fallback:
        spec && 'default' in spec ? String((spec.default as string | number | undefined) ?? '') : undefined,
      description: spec?.desc ?? '',
    };
  });
  return all.sort((one, other) => other.services.length - one.services.length);
}

/** `docs/configuration.md`. */
export function configurationPage(): string {
  const rows = variables().map(({ name, services: having, fallback, description }) => {
    const whose = having.length === Object.keys(services).length ? 'all' : having.join(', ');
    const value = fallback === undefined ? '**needed**' : fallback === '' ? 'none' : `\`${fallback}\``;
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
  const blocks = variables().map(({ name, services: having, fallback, description }) => {
    const comment = `# ${having.join(', ')}: ${description}`;
    return `${comment}\n${fallback === undefined ? `${name}=` : `#${name}=${fallback}`}\n`;
  });
  return `# Written by \`npm run docs\`; what is not commented out has to be set.\n\n${blocks.join('\n')}`;
}
