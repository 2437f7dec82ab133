export { session } from './session';
