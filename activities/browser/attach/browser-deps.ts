import type { Store } from '../../../store/store';
import type { Attachments } from './attachments';

/** What the activities of a browser worker reach. */
export interface BrowserDeps {
  store: Store;
  attachments: Attachments;
  /** Where `{"env": "NAME"}` variables get their values. */
  env: NodeJS.ProcessEnv;
  /** Folder that files may be uploaded from (SUREFOOT_UPLOADS). */
  uploads?: string | undefined;
}
