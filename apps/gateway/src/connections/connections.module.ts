import { CONFIG } from '@app/platform';
import { Module } from '@nestjs/common';
import { proxyTrust } from '../network/proxy-trust.js';
import { ConnectionLimit } from './connection-limit.js';

interface ConnectionsConfig {
  readonly MAX_CONNECTIONS: number;
  readonly MAX_CONNECTIONS_PER_ADDRESS: number;
  readonly TRUST_PROXY: Parameters<typeof proxyTrust>[0];
}

/** Limits on the connections to the public port. */
@Module({
  providers: [
    {
      provide: ConnectionLimit,
      inject: [CONFIG],
      useFactory: (config: ConnectionsConfig) => {
        const isTrusted = proxyTrust(config.TRUST_PROXY);
        return new ConnectionLimit({
          connectionsMax: config.MAX_CONNECTIONS,
          perAddressMax: config.MAX_CONNECTIONS_PER_ADDRESS,
          isProxy: (address) => isTrusted(address, 0),
        });
      },
    },
  ],
  exports: [ConnectionLimit],
})
export class ConnectionsModule {}
