export { ServiceClient, type RequestContext, type ServiceClientOptions } from './client/service-client.js';
export { BytesPayloadPipe } from './nest/bytes-payload.pipe.js';
export { PassErrorsToTransport } from './nest/pass-errors-to-transport.filter.js';
export { PayloadPipe } from './nest/payload.pipe.js';
export { startMicroservice } from './nest/start-microservice.js';
export { TransportModule } from './nest/transport.module.js';
export { connectRedis, createRedis, type RedisConnection } from './redis/create-redis.js';
export { MessageContext } from './server/message-context.js';
export { RedisServer } from './server/redis-server.js';
