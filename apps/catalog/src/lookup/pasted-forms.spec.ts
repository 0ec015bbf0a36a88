import { readProfileLink } from './profile-link.js';

const channel = 'UCX6OQ3DkcsbYNE6H8uQQuVA';
const id = '100012345678901';

interface Profile {
  readonly hosts: readonly string[];
  readonly path: string;
  readonly key: string;
  /** Whether letters of the other case are other names. */
  readonly isExact?: boolean;
}

const youtube = ['youtube.com'];
const facebook = ['facebook.com', 'fb.com'];
const x = ['x.com', 'twitter.com'];

/** The ways in which the five platforms write the address of a profile. */
const profiles: readonly Profile[] = [
  { hosts: youtube, path: '/@mira.solenne', key: 'youtube/@mira.solenne' },
  { hosts: youtube, path: `/channel/${channel}`, key: `youtube/id/${channel}`, isExact: true },
  { hosts: youtube, path: '/c/mirasolenne', key: 'youtube/c/mirasolenne' },
  { hosts: youtube, path: '/user/mirasolenne', key: 'youtube/user/mirasolenne' },
  { hosts: youtube, path: '/mirasolenne', key: 'youtube/c/mirasolenne' },
  { hosts: ['instagram.com'], path: '/mira.solenne_', key: 'instagram/@mira.solenne_' },
  { hosts: ['instagram.com'], path: '/@mira.solenne_', key: 'instagram/@mira.solenne_' },
  { hosts: ['tiktok.com'], path: '/@mira.solenne', key: 'tiktok/@mira.solenne' },
  { hosts: ['tiktok.com'], path: '/mira.solenne', key: 'tiktok/@mira.solenne' },
  { hosts: facebook, path: '/mirasolenne', key: 'facebook/@mirasolenne' },
  { hosts: facebook, path: '/@mira.solenne', key: 'facebook/@mirasolenne' },
  { hosts: facebook, path: `/profile.php?id=${id}`, key: `facebook/id/${id}` },
  { hosts: facebook, path: `/${id}`, key: `facebook/id/${id}` },
  { hosts: facebook, path: `/people/Mira-Solenne/${id}`, key: `facebook/id/${id}` },
  { hosts: facebook, path: `/p/Mira-Solenne-${id}`, key: `facebook/id/${id}` },
  { hosts: x, path: '/mirasolenne', key: 'x/@mirasolenne' },
  { hosts: x, path: '/@mirasolenne', key: 'x/@mirasolenne' },
];

const schemes = ['https://', 'http://', '//', ''];
const prefixes = ['', 'www.', 'm.', 'mobile.'];
const ends = ['', '/', '//', '?utm_source=qr&hl=de', '/?si=a%2Fb', '#top', '/?a=b#top'];
/** Behind a query a link goes on otherwise. */
const endsOfQuery = ['', '&sk=about', '&mibextid=ZbWKwL#top', '#top'];

const percentEncoded = (text: string): string =>
  text.replace(/[\w@.-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** What happens to a link on its way to us. */
const ways: Readonly<Record<string, (link: string) => string>> = {
  plain: (link) => link,
  'with space around': (link) => ` \t${link}\r\n `,
  'in angle brackets': (link) => `<${link}>`,
  'encoded as a whole': encodeURIComponent,
};

function* linksTo({ hosts, path, isExact = false }: Profile): Generator<string> {
  const paths = [path, path.replace('@', '%40'), encodedNames(path)];
  const cases = isExact ? paths : [...paths, path.toUpperCase()];
  for (const host of [...hosts, ...hosts.map((name) => name.toUpperCase())]) {
    for (const form of new Set(cases)) {
      for (const end of path.includes('?') ? endsOfQuery : ends) {
        for (const prefix of prefixes) yield `${prefix}${host}${form}${end}`;
      }
    }
  }
}

/** The last segment with every character encoded. */
function encodedNames(path: string): string {
  return path.replace(/[^/=]+$/, percentEncoded);
}

describe.each(profiles)('$key at $hosts$path', (profile) => {
  it.each(Object.entries(ways))('is understood in every form, %s', (_what, way) => {
    const links = [...linksTo(profile)].flatMap((link) => schemes.map((scheme) => way(scheme + link)));
    const misread = links.flatMap((link) => {
      const read = readProfileLink(link);
      const key = typeof read === 'string' ? read : read.exact[0];
      return key === profile.key ? [] : [`${link}: ${key}`];
    });
    expect(misread).toEqual([]);
    expect(links.length).toBeGreaterThan(200);
  });
});
