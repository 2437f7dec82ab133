import type { PageState } from '../contracts/sessions/outbox';
import { activity } from './activity';
import type {
  AcquireInput,
  BrowserActivities,
  ExploreInput,
  ExploreOutput,
  ReleaseBrowserInput,
  Lease,
  RunCommandsInput,
  RunCommandsOutput,
} from './browser-activities';
import { acquireBrowser } from './browsers/acquire';
import type { BrowserDeps } from './browsers/browser-deps';
import { releaseBrowser } from './browsers/release';
import { explore } from './pages/investigation/explore';
import { captureFailure } from './pages/capture-failure';
import { runCommands } from './commands/run-commands';
import { redactingErrors } from './secrets/redact-error';

/** The activities of a browser worker, closed over what they reach. */
export function createBrowserActivities(deps: BrowserDeps): BrowserActivities {
  const { attachments } = deps;
  return {
    acquireBrowser: activity<AcquireInput, Lease>('EX001', 'executor', (input, call) =>
      redactingErrors(deps, input.sessionId, () => acquireBrowser(deps, input, call)),
    ),
    runCommands: activity<RunCommandsInput, RunCommandsOutput>('TL004', 'task-loop', (input, call) =>
      runCommands(deps, input, call),
    ),
    explore: activity<ExploreInput, ExploreOutput>('TL005', 'task-loop', (input, call) =>
      redactingErrors(deps, input.sessionId, () => explore(deps, input, call)),
    ),
    captureFailure: activity<{ sessionId: string; stepIndex: number; lease: Lease }, PageState>(
      'EX005',
      'executor',
      async (input) => {
        const attachment = attachments.held(input.sessionId, input.lease);
        if (attachment === undefined) return { screenshotId: '', url: 'about:blank' };
        return await redactingErrors(deps, input.sessionId, () => captureFailure(deps, attachment, input));
      },
    ),
    releaseBrowser: activity<ReleaseBrowserInput, void>('EX001', 'executor', (input, call) =>
      redactingErrors(deps, input.sessionId, () => releaseBrowser(deps, input, call)),
    ),
    closeBrowser: activity<{ sessionId: string; lease: Lease }, void>('EX001', 'executor', ({ sessionId }) =>
      attachments.release(sessionId),
    ),
  };
}
