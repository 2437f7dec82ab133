import { ownProcess } from '../runtime/part';
import { runMain } from '../runtime/process';
import { runEngineWorker } from './run-engine-worker';

runMain('surefoot engine worker', () => runEngineWorker(ownProcess('engine-worker')));
