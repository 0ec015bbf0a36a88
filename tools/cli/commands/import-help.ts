/** Below the options of `creators import`. */
export const importHelp = `
The format is found by the content: NDJSON, or a table with a header line and commas, semicolons or tabs; in UTF-8, or UTF-16
with a byte order mark; compressed with gzip or not. A record replaces the whole creator with its slug. Lines that fail are
rejected with their number and the reason, the others are stored, and the exit code is then 1. Importing a file twice changes
nothing.

NDJSON has one record per line:
  {"slug": "ada-example", "name": "Ada Example", "country": "Norway", "languages": ["Norwegian"],
   "categories": ["fitness"], "platforms": [{"platform": "youtube", "handle": "@ada", "followers": 1200,
   "updated_at": "2026-01-31T12:00:00Z"}]}
(on one line). Optional: tagline, verified, website, published, and the url of a platform.

The columns of a table are found by the names of the fields, and by --map: name, country, languages, categories, slug (default:
made of the name), tagline, verified, website, published; of each platform youtube.handle, youtube.followers,
youtube.updated_at and youtube.url. An account without a handle is left out. Lists have | or ; or commas between their items.
Counts: 1200, 1,200, 1.200, 1 200, 1.2M, 3,4K. Times: 2026-01-31T12:00:00Z, or 2026-01-31 for its start in UTC.
--rejected writes the failing rows with an added column "error": correct them, and import that file with the same options.

Examples:
  $ npm run cli -- creators import creators.ndjson
  $ npm run cli -- creators import list.csv --dry-run --map 'name=Title,youtube.handle=Channel' --set country=Norway
  $ npm run cli -- creators import list.csv.gz --rejected failed.csv --map 'name="Name, full",country=Land'
  $ jq -c '.[]' creators.json | npm run cli -- creators import -
`;
