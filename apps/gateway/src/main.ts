import { runService } from '@app/platform';
import { startGateway } from './gateway.js';
import { readGatewayConfig } from './config/gateway-config.js';

runService({ name: 'gateway', readConfig: readGatewayConfig, start: startGateway });
