export { createRedis, connectRedis, type RedisConnection } from './create-redis.js';
export { BytesPayloadPipe } from './bytes-payload.pipe.js';
export { PayloadPipe } from './payload.pipe.js';
export { MessageContext } from './message-context.js';
export { RedisServer, type RedisServerOptions } from './redis-server.js';
export { PassErrorsToTransport } from './pass-errors-to-transport.filter.js';
export { ServiceClient, type RequestContext, type ServiceClientOptions } from './service-client.js';
export { startMicroservice } from './start-microservice.js';
export { TransportModule } from './transport.module.js';
