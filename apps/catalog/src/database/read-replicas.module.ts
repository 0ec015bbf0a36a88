import { Module } from '@nestjs/common';
import { ReadReplicas } from './read-replicas.js';

/** Read replicas, which all of the catalog avoids together when one can't be used. */
@Module({ providers: [ReadReplicas], exports: [ReadReplicas] })
export class ReadReplicasModule {}
