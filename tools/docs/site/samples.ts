import { type RequestBodyObject } from 'openapi3-ts/oas31';
import { type Operation } from './openapi-file.js';
import { placeholders } from './placeholders.js';

interface Sample {
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** The call of the client. */
  readonly client: string;
}

/** Samples by `operationId`, which fit the answers that are shown next to them. */
const samples: Readonly<Record<string, Sample>> = {
  searchCreators: {
    query: { country: 'France', limit: '2' },
    client: "search({ country: 'France', limit: 2 })",
  },
  getCreatorProfile: { client: "creator('chloe-grenvigne-1l')" },
  getCreatorProfiles: {
    client:
      "creators([\n  'chloe-grenvigne-1l',\n  { slug: 'mira-solenne', etag: 'W/\"v7gkVVLJmqr4XNVKGkWnYA\"' },\n])",
  },
  listFilters: { client: 'filters()' },
  lookUpAccount: {
    query: { platform: 'youtube', handle: '@mirasolenne' },
    client: "lookup({ platform: 'youtube', handle: '@mirasolenne' })",
  },
  lookUpAccounts: {
    client:
      "lookupAll([\n  'https://www.youtube.com/@mirasolenne',\n  { platform: 'x', handle: '@mirasolenne' },\n])",
  },
  getBalance: { client: 'balance()' },
  getUsage: {
    query: { from: '2026-11-01', to: '2026-11-30' },
    client: "usage({ from: '2026-11-01', to: '2026-11-30' })",
  },
  listCalls: { query: { limit: '10' }, client: 'calls({ limit: 10 })' },
  getCalls: { client: "call('order-4711')" },
};

/** How an operation is called with curl, TypeScript and Python, as code blocks. Throws for one without a sample. */
export function samplesOf(operation: Operation): string {
  const sample = samples[operation.operationId];
  if (!sample) throw new Error(`${operation.operationId} has no sample`);
  const { query, client } = sample;
  const path = operation.path.replace(/{(\w+)}/g, (_, name: string) =>
    encodeURIComponent(
      String(operation.parameters?.find((parameter) => parameter.name === name)?.example ?? name),
    ),
  );
  const url = `${placeholders.api}${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`;
  const body: unknown = (operation.requestBody as RequestBodyObject | undefined)?.content['application/json']
    ?.example;
  const code = {
    sh: curl(placeholders.api + path, query, body),
    ts: withClient(client),
    python: python(url, body),
  };
  return Object.entries(code)
    .map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\``)
    .join('\n\n');
}

function curl(url: string, query: Sample['query'], body: unknown): string {
  const lines = [`curl ${query ? '--get ' : ''}'${url}'`, `  --header "Authorization: Bearer $API_KEY"`];
  const pairs = Object.entries(query ?? {});
  lines.push(...pairs.map(([name, value]) => `  --data-urlencode '${name}=${value}'`));
  if (body !== undefined) {
    lines.push(`  --header 'Content-Type: application/json'`, `  --data '${JSON.stringify(body)}'`);
  }
  return lines.join(' \\\n');
}

function withClient(call: string): string {
  return `import { CreatorSearch } from 'creator-search-client';

const client = new CreatorSearch({
  baseUrl: '${placeholders.api}',
  apiKey: process.env.API_KEY,
});

const answer = await client.${call};
console.log(answer);`;
}

function python(url: string, body: unknown): string {
  const data = body === undefined ? '' : `\n    data=json.dumps(${JSON.stringify(body)}).encode(),`;
  const type = body === undefined ? '' : `,\n        "Content-Type": "application/json"`;
  return `import json
import os
import urllib.request

request = urllib.request.Request(
    "${url}",${data}
    headers={
        "Authorization": f"Bearer {os.environ['API_KEY']}"${type},
    },
)
with urllib.request.urlopen(request, timeout=30) as response:
    print(json.load(response))`;
}
