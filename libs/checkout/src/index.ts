export * from './session-parameters.js';
export * from './subscribed-events.js';
