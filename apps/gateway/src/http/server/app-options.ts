import { type Logger } from '@app/platform';
import { type GatewayConfig } from '../../config/gateway-config.js';
import { type Shutdown } from '../../shutdown/shutdown.js';

/** What both applications of a gateway process are created from. */
export interface AppOptions {
  readonly config: GatewayConfig;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}
