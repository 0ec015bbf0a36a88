/** What a program of a customer does with the client; it prints what it has seen as JSON. */
const body = `
async function main() {
  const options = { apiKey: process.env.API_KEY, baseUrl: process.env.BASE_URL };
  const client = new CreatorSearch(options);
  const seen = {};

  const slugs = [];
  for await (const { slug } of client.searchAll({ country: process.env.COUNTRY, limit: 2 })) slugs.push(slug);
  seen.slugs = slugs.sort();

  const profile = await client.creator(slugs[0]);
  seen.profile = [profile.slug, profile.credits.used];
  const again = await client.creator(slugs[0], { ifNoneMatch: profile.etag });
  seen.again = [again.unchanged, again.credits.used];

  const links = ['youtube.com/@' + process.env.HANDLE, { platform: 'x', handle: 'nobody-at-all' }, 'https://x.com/i/status/1'];
  seen.found = (await client.lookupAll(links)).map(({ slug, problem }) => (problem ? 'has a problem' : slug));

  const errors = [
    await client.creator('nobody-at-all').catch((error) => error),
    await new CreatorSearch({ ...options, apiKey: 'csk_unknown' }).search().catch((error) => error),
    await client.search({ limit: 0 }).catch((error) => error),
  ];
  seen.errors = errors.map((error) => [error.name, error.status, error instanceof CreatorSearchError]);

  const scripted = new CreatorSearch({ ...options, baseUrl: process.env.SCRIPTED_URL, timeoutMs: 1000, retryWaitMaxMs: 0 });
  seen.afterFailures = (await scripted.search()).credits;
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error('enough')), 10);
  const never = scripted.balance({ signal: abort.signal, timeoutMs: 60000 });
  seen.aborted = (await never.catch((error) => error)).message;
  console.log(JSON.stringify(seen));
  console.log(client, errors);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
`;

const names = '{ CreatorSearch, CreatorSearchError }';

/** One program for both ways to load the package, by file name. */
export const clientPrograms = {
  'program.mjs': `import ${names} from 'creator-search-client';\n${body}`,
  'program.cjs': `const ${names} = require('creator-search-client');\n${body}`,
};
