import { HealthChecks } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { Shutdown } from './shutdown.js';

/** A gateway is ready from when it listens on all of its ports until it is told to stop. */
@Injectable()
export class Readiness {
  private isListening = false;

  constructor(health: HealthChecks, shutdown: Shutdown) {
    health.ready.started = () =>
      Promise.resolve(shutdown.hasBegun ? 'draining' : this.isListening ? null : 'starting');
  }

  listening(): void {
    this.isListening = true;
  }
}
