/**
 * `surefoot/engine`: the parts of Surefoot in your own process, which `surefoot worker`, `api` and `keeper` start as
 * processes of their own (docs/package.md). Settings come from the environment, or from `env` (docs/reference/settings.md).
 */
export { startApi, startBrowserWorker, startEngineWorker, startKeeper } from './parts';
export type { PartStart, RunningPart } from './parts';
export { readDataConverter } from './data-converter';
export { openAgentConnection, type AgentConnection, type OpenAgentConnection } from '../agent/connection';
export { ClientError, type ClientErrorKind, type Sessions } from '../../service/port/port';
export { readSettings, type Settings } from '../../runtime/settings/settings';
export { openStore, type Store } from '../../store/store';
