import { Code, Copyable } from '../../components/controls.js';
import { creatorsPrefix, publicPrefix } from '../../paths/page-paths.js';
import { usePage } from '../../view/page.js';

/** One request in four languages, with the answer that a fictional creator would have and what it costs. Radio buttons: no script. */
export function Samples() {
  const { apiOrigin, siteOrigin } = usePage();
  const requests = Object.entries(requestsTo(apiOrigin));
  const answer = answerFrom(siteOrigin).split('\n');
  return (
    <section class="card samples" aria-label="A request and its response">
      {requests.map(([name], index) => [
        <input type="radio" name="sample" id={`in-${name}`} checked={index === 0} />,
        <label for={`in-${name}`}>{name}</label>,
      ])}
      <div class="panels">
        {requests.map(([name, text]) => (
          <Copyable key={name} id={`request-${name}`} what="request" text={text} />
        ))}
      </div>
      <Code label="Response" text={answer.slice(0, linesShown).join('\n')} />
      <details>
        <summary>Show the rest of the response</summary>
        <Code label="Rest of the response" text={answer.slice(linesShown).join('\n')} />
      </details>
      <p>
        <strong>3 credits</strong>: 1 + country + category
      </p>
    </section>
  );
}

const linesShown = 12;

/** Requests as the guide for the first call and docs/api.md have them. */
function requestsTo(origin: string): Readonly<Record<string, string>> {
  const url = `${origin}${publicPrefix}/search`;
  return {
    curl: `curl -G '${url}' \\
  -H 'Authorization: Bearer csk_...' \\
  -d country=France -d category=fitness -d limit=1`,
    TypeScript: `import { CreatorSearch } from 'creator-search-client';

const client = new CreatorSearch({
  baseUrl: '${origin}',
  apiKey: process.env.API_KEY,
});
const query = { country: 'France', category: 'fitness', limit: 1 };
const found = await client.search(query);`,
    Python: `import json, os, urllib.request

request = urllib.request.Request(
    '${url}?country=France&category=fitness&limit=1',
    headers={'Authorization': f"Bearer {os.environ['API_KEY']}"},
)
found = json.load(urllib.request.urlopen(request, timeout=30))`,
    MCP: `claude mcp add --transport http creators ${origin}/mcp \\
  --header 'Authorization: Bearer csk_...'

> Who makes fitness videos in France? Show me one creator.`,
  };
}

function answerFrom(siteOrigin: string): string {
  const followers = 412_000;
  const creator = {
    slug: 'mira-solenne',
    name: 'Mira Solenne',
    url: `${siteOrigin}${creatorsPrefix}/mira-solenne`,
    country: 'France',
    total_reach: followers,
    platforms: [
      { platform: 'youtube', handle: '@mirasolenne', url: 'https://www.youtube.com/@mirasolenne', followers },
    ],
  };
  const found = { total: 128, returned: 1, credits_used: 3, credits_remaining: 47, creators: [creator] };
  return JSON.stringify(found, null, 2);
}
