export { default } from './operations.js';
