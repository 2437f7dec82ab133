import { ownProcess } from '../runtime/part';
import { runMain } from '../runtime/process';
import { runBrowserWorker } from './run-browser-worker';

runMain('surefoot browser worker', () => runBrowserWorker(ownProcess('browser-worker')));
