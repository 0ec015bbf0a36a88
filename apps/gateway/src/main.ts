import { runService } from '#platform';
import { startGateway } from './start-gateway.js';
import { readGatewayConfig } from './config/gateway-config.js';

runService(process.env, { name: 'gateway', readConfig: readGatewayConfig, start: startGateway });
