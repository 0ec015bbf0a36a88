export { type RequestContext, ServiceClient, type ServiceClientOptions } from './client/service-client.js';
export { BytesPayloadPipe, PayloadPipe } from './nest/payload.pipe.js';
export { startMicroservice, TransportModule } from './nest/transport.module.js';
export { connectRedis, createRedis, type RedisConnection } from './redis/create-redis.js';
export { RedisHealth } from './redis/redis-health.js';
export { MessageContext, RedisServer } from './server/redis-server.js';
export { PassErrorsToTransport } from './transport-errors.js';
