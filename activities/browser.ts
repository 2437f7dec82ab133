import type { PageState } from '../contracts/bookkeeping';
import type { Store } from '../store/store';
import { activity } from './activity';
import type { BrowserActivities, Lease, RunCommandsInput, RunCommandsOutput } from './browser-activities';
import type { Attachments } from './browser/attachments';
import { keepFailure } from './browser/keep-failure';
import { runCommands } from './browser/run-commands';

export interface BrowserDeps {
  store: Store;
  attachments: Attachments;
  env: NodeJS.ProcessEnv;
}

const ATTACH_LIMIT_MS = 10_000;

/** The activities of a browser worker, closed over what they reach. */
export function createBrowserActivities(deps: BrowserDeps): BrowserActivities {
  const { attachments } = deps;
  return {
    acquireBrowser: activity<{ sessionId: string; headless: boolean }, Lease>(
      'EX001',
      'executor',
      ({ sessionId, headless }, { runId }) => attachments.acquire(sessionId, runId, headless, ATTACH_LIMIT_MS),
    ),
    runCommands: activity<RunCommandsInput, RunCommandsOutput>('TL004', 'task-loop', (input, call) =>
      runCommands(deps, input, call),
    ),
    keepFailure: activity<{ sessionId: string; stepIndex: number; lease: Lease }, PageState>(
      'EX005',
      'executor',
      async (input) => {
        const attachment = attachments.held(input.sessionId, input.lease);
        if (attachment === undefined) return { screenshotId: '', url: 'about:blank' };
        return await keepFailure(deps, attachment, input);
      },
    ),
    releaseBrowser: activity<{ sessionId: string; lease: Lease }, void>('EX001', 'executor', ({ sessionId }) =>
      attachments.release(sessionId),
    ),
  };
}
