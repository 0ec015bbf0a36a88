import { readFileSync } from 'node:fs';
import { ConfigError } from '@app/platform';
import { type GatewayConfig } from '../config/gateway-config.js';
import { serverLimits } from './http-options.js';

interface Tls {
  readonly https: ({ readonly cert: Buffer; readonly key: Buffer } & typeof serverLimits) | null;
}

/** The certificate and key of the public port; `null` when it speaks plain HTTP behind a proxy. Raises `ConfigError`. */
export function readTls({ TLS_CERT_FILE, TLS_KEY_FILE }: GatewayConfig): Tls {
  if (TLS_CERT_FILE === undefined && TLS_KEY_FILE === undefined) return { https: null };
  if (TLS_CERT_FILE === undefined || TLS_KEY_FILE === undefined) {
    throw new ConfigError({ TLS_CERT_FILE: 'TLS_CERT_FILE and TLS_KEY_FILE go together; set both or none' });
  }
  return {
    https: {
      cert: read('TLS_CERT_FILE', TLS_CERT_FILE),
      key: read('TLS_KEY_FILE', TLS_KEY_FILE),
      ...serverLimits,
    },
  };
}

function read(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError({
      [variable]: `can't be read: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
}
