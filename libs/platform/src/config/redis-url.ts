interface Host {
  readonly host: string;
  readonly port: number;
}

interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

/** The Redis of a `SERVICE_REDIS_URL`. */
export interface RedisAddress {
  readonly kind: 'server' | 'sentinel' | 'cluster';
  readonly tls: boolean;
  /** The server, the sentinels, or some nodes of a cluster, from which the others are discovered. */
  readonly hosts: readonly Host[];
  readonly credentials: Credentials;
  /** Credentials for the sentinels. */
  readonly sentinelCredentials: Credentials;
  /** A number for a server, the name of the watched master for sentinels, empty for a cluster. */
  readonly path: string;
}

const defaultPorts = { server: 6_379, sentinel: 26_379, cluster: 6_379 } as const;
const paths = { server: /^\d{0,4}$/, sentinel: /^[\w.-]+$/, cluster: /^$/ } as const;
const parts = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/([^@/?#]*@)?([^@/?#]+)((?:\/[^#]*)?(?:\?[^#]*)?)$/;

/**
 * Reads `redis://user:password@host:port/database`, `redis+sentinel://user:password@host:port,host:port/master` and
 * `redis+cluster://user:password@host:port,host:port`; with `rediss` everything uses TLS. A separate password of the
 * sentinels is given as `?sentinel_password=`, with `sentinel_username=`. `null` for anything else.
 */
export function parseRedisUrl(url: string): RedisAddress | null {
  try {
    return read(url);
  } catch (error) {
    // An invalid percent escape.
    if (error instanceof URIError) return null;
    throw error;
  }
}

function read(url: string): RedisAddress | null {
  const [, s, form, user = '', hosts = '', rest = ''] = parts.exec(url) ?? [];
  const kind = form === 'sentinel' || form === 'cluster' ? form : 'server';
  // The parts common to all hosts are parsed with each host, which saves a second parser for percent escapes and
  // brackets.
  const urls = hosts.split(',').map((host) => `redis://${user}${host}${rest}`);
  if (!urls.every((each) => URL.canParse(each)) || (kind === 'server' && urls.length > 1)) return null;
  const [first, ...others] = urls.map((each) => new URL(each));
  if (!first || [first, ...others].some(({ hostname }) => hostname === '')) return null;
  const path = decodeURIComponent(first.pathname.slice(1));
  if (!paths[kind].test(path)) return null;
  const { searchParams } = first;
  return {
    kind,
    tls: s === 's',
    hosts: [first, ...others].map(({ hostname, port }) => ({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || defaultPorts[kind]),
    })),
    credentials: credentials(decodeURIComponent(first.username), decodeURIComponent(first.password)),
    sentinelCredentials: credentials(
      searchParams.get('sentinel_username'),
      searchParams.get('sentinel_password'),
    ),
    path,
  };
}

function credentials(username: string | null, password: string | null): Credentials {
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}
