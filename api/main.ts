import { ownProcess } from '../runtime/part';
import { runMain } from '../runtime/process';
import { runApi } from './run-api';

runMain('api', () => runApi(ownProcess('api')));
