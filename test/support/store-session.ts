import type { CommandIntent } from '../../store/journal/intent';
import type { Store } from '../../store/store';
import { aSession } from './builders';
import { startTestStack, type TestStack } from './stack';

/** A store on a Postgres of the test file's own, with a session that a run has claimed. */
export interface StoreSession {
  stack: TestStack;
  store: Store;
  sessionId: string;
}

/** The run of these sessions. */
export const RUN_ID = 'run-1';

/** Hands over the servers of all tests of the calling file, with a new session for each. */
export function useStoreSession(use: (ready: StoreSession) => void, { isActive = true } = {}): void {
  let stack: TestStack;
  let store: Store;
  beforeAll(async () => {
    stack = await startTestStack({ parts: ['postgres'] });
    store = await stack.store();
  });
  afterAll(() => stack.stop());
  beforeEach(async () => {
    use({ stack, store, sessionId: await aSession(store, { runId: RUN_ID, isActive }) });
  });
}

/** A click that places an order, unless `change` says otherwise. */
export function anIntent(commandId: string, change: Partial<CommandIntent> = {}): CommandIntent {
  return {
    commandId,
    stepIndex: 0,
    turn: 0,
    position: 0,
    action: 'CLICK_ELEMENT',
    parameters: { selector: 'role=button[name="Place order"]' },
    effect: 'commit',
    pageUrl: 'https://shop.test/',
    ...change,
  };
}
