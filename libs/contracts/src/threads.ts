/** What threads use of this library. Payloads are not among it: class-validator takes longer to load than all of it. */
export * from './catalog/platforms.js';
export * from './catalog/slug.js';
export * from './validation/is-record.js';
