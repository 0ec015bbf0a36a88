import { CONFIG, HealthChecks } from '@app/platform';
import { Module } from '@nestjs/common';
import { Admission } from './admission.js';
import { createAdmission } from './create-admission.js';

/** Admission control. Not healthy when it refuses all calls for seconds although none is in progress. */
@Module({
  providers: [{ provide: Admission, inject: [CONFIG], useFactory: createAdmission }],
  exports: [Admission],
})
export class AdmissionModule {
  constructor(admission: Admission, health: HealthChecks) {
    const check = (): Promise<string | null> => Promise.resolve(admission.problem);
    health.live.admission = check;
    health.ready.admission = check;
  }
}
