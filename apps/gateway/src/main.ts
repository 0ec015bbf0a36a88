import { runService } from '@app/platform';
import { readGatewayConfig } from './config/gateway-config.js';
import { startGateway } from './gateway.js';

runService(() => Promise.resolve(process.env).then(readGatewayConfig).then(startGateway));
