import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { Shutdown } from '../shutdown/shutdown.js';
import { MeteringService } from './metering.service.js';
import { Settler } from './settler.js';

/** Takes credits for an answer, and tells billing what became of it. */
@Module({
  imports: [AuthenticationModule],
  providers: [MeteringService, Settler],
  exports: [MeteringService],
})
export class ChargingModule implements OnApplicationShutdown {
  constructor(
    private readonly settler: Settler,
    private readonly shutdown: Shutdown,
  ) {}

  /** Every answer has left by now: billing hears of the last ones. */
  onApplicationShutdown(): Promise<void> {
    return this.settler.flush(this.shutdown.msUntil('settled'));
  }
}
