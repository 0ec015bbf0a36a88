export { type Intercept, type Reply } from './api/api.js';
export { type Failure } from './api/failures.js';
export { type ApiCall } from './api/routes.js';
export { type Session, type StandInEvent } from './books/objects.js';
export { type PaymentMethod, Payments, type PriceChanges } from './books/payments.js';
export { Records } from './books/records.js';
export { type Books, Returns } from './books/returns.js';
export { StandInError } from './books/stand-in-error.js';
export { startStripeStandIn, type StripeStandIn } from './stand-in.js';
