/** What threads use of this library. It must not load class-validator, which takes longer to load than all of this. */
export * from './catalog/creators.js';
export * from './catalog/import.js';
export * from './catalog/profiles.js';
export * from './shape/formats.js';
export * from './shape/read-shape.js';
export * from './text/fold.js';
export * from './text/shown-text.js';
export * from './text/value-keys.js';
