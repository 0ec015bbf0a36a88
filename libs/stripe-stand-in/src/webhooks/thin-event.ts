import { newId } from '../books/ids.js';
import { type ThinEvent } from '../books/objects.js';

/** An event of Stripe's newer API, of an endpoint that was set up for these. */
export function thinEvent(type = 'v1.billing.meter.no_meter_found'): ThinEvent {
  return {
    id: newId('evt_test'),
    object: 'v2.core.event',
    created: new Date().toISOString(),
    livemode: false,
    related_object: null,
    type,
  };
}
