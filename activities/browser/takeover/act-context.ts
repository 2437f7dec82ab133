import type { AskedByPage } from '../../../store/browsers/takeovers';
import type { Store } from '../../../store/store';
import type { SessionValues } from '../../secrets/session-values';
import type { Attachment } from '../attach/attachment';

/** What acts of a person are done with. */
export interface ActContext {
  store: Store;
  sessionId: string;
  stepIndex: number;
  runId: string;
  takeoverId: string;
  attachment: Attachment;
  values: SessionValues;
  asks: AskedByPage | null;
  /** The words of the step, and of the one after it. */
  instructions: readonly [string, string | undefined];
}

/** What acts of a person are recorded with, also where no worker can be attached to the browser. */
export type ActPlace = Pick<ActContext, 'store' | 'sessionId' | 'stepIndex' | 'runId' | 'takeoverId'> & {
  attachment: Pick<Attachment, 'epoch'>;
};

export function guardOf({ runId, attachment: { epoch } }: Pick<ActPlace, 'runId' | 'attachment'>) {
  return { runId, epoch };
}
