import { ownProcess } from '../../runtime/part';
import { runMain } from '../../runtime/process';
import { runHostKeeper } from './run-keeper';

/** The keeper process of one host. */
runMain('surefoot keeper', () => runHostKeeper(ownProcess('keeper')));
