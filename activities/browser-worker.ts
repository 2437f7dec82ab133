import type { ActivityCall } from './activity/activity';
import type { BrowserActivities } from './signatures/browser-activities';
import { acquireBrowser } from './browser/lease/acquire';
import type { BrowserDeps } from './browser/attach/browser-deps';
import { createActivities, type ActivityTable } from './activity/define-activities';
import { closeBrowser } from './browser/lease/close';
import { releaseBrowser } from './browser/lease/release';
import { explore } from './browser/pages/investigation/explore';
import { captureFailure } from './browser/pages/capture-failure';
import { runCommands } from './browser/commands/run-commands';
import { redactingErrors } from './secrets/redact-error';

/** The same with every error cleaned of the session's secrets. */
function redacting<Input extends { sessionId: string }, Output>(
  work: (deps: BrowserDeps, input: Input, call: ActivityCall) => Promise<Output>,
) {
  return (deps: BrowserDeps, input: Input, call: ActivityCall): Promise<Output> =>
    redactingErrors(deps, input.sessionId, () => work(deps, input, call));
}

const ACTIVITIES: ActivityTable<BrowserDeps, BrowserActivities> = {
  acquireBrowser: ['EX001', 'executor', redacting(acquireBrowser)],
  runCommands: ['TL004', 'task-loop', runCommands],
  explore: ['TL005', 'task-loop', redacting(explore)],
  captureFailure: ['EX005', 'executor', redacting(captureFailure)],
  releaseBrowser: ['EX001', 'executor', redacting(releaseBrowser)],
  closeBrowser: ['EX001', 'executor', closeBrowser],
};

/** The activities of a browser worker, closed over what they reach. */
export function createBrowserActivities(deps: BrowserDeps): BrowserActivities {
  return createActivities(deps, ACTIVITIES);
}
