export { CreatorSearch, type ConditionalCallOptions } from './client.js';
export * from './results.js';
export { type Credits } from './answers/answer.js';
export * from './api.js';
export * from './errors.js';
export * from './options/options.js';
export { type Page, type PagedList } from './paging.js';
