import { Module } from '@nestjs/common';
import { ReadReplicas } from './read-replicas.js';

/** Read replicas; when one is unusable, the whole catalog avoids all of them. */
@Module({ providers: [ReadReplicas], exports: [ReadReplicas] })
export class ReadReplicasModule {}
