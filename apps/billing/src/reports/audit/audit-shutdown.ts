import { RedisServer } from '@app/transport';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditService } from './audit.service.js';

/** Cancels a running audit as soon as shutdown begins; the messages already taken are finished after that. */
@Injectable()
export class AuditShutdown implements OnModuleInit {
  constructor(
    private readonly server: RedisServer,
    private readonly audits: AuditService,
  ) {}

  onModuleInit(): void {
    this.server.on('closing', () => this.audits.stop());
  }
}
