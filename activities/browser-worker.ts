import type { ActivityCall } from './activity/activity';
import type { ErrorCode } from '../contracts/errors/error-codes';
import type {
  BrowserActivities,
  DecideAndRunInput,
  DecideAndRunOutput,
  RunCommandsInput,
  RunCommandsOutput,
} from './signatures/browser-activities';
import { acquireBrowser } from './browser/lease/acquire';
import type { BrowserDeps } from './browser/attach/browser-deps';
import { createActivities, type ActivityTable } from './activity/define-activities';
import type { AdoptRun } from './activity/adopt-run';
import { commandsFailed } from './activity/failures';
import { closeBrowser } from './browser/lease/close';
import { releaseBrowser } from './browser/lease/release';
import { explore } from './browser/pages/investigation/explore';
import { captureFailure } from './browser/pages/capture-failure';
import { lookAtSite } from './browser/commands/look-at-site';
import { runCommands } from './browser/commands/run-commands';
import { decideAndRun } from './steps/decide-and-run';
import type { DecideAndRunDeps } from './steps/decide-and-run-step';
import { redactingErrors } from './secrets/redact-error';

/** The same with every error cleaned of the session's secrets. */
function redacting<Input extends { sessionId: string }, Output>(
  work: (deps: BrowserDeps, input: Input, call: ActivityCall) => Promise<Output>,
) {
  return (deps: BrowserDeps, input: Input, call: ActivityCall): Promise<Output> =>
    redactingErrors(deps, input.sessionId, () => work(deps, input, call));
}

/** A batch that was stopped goes on; one with a command that failed, or whose outcome nobody knows, has failed. */
function unlessFailed<Output>(output: Output, { outcomes, isInterrupted }: RunCommandsOutput): Output {
  const failed = outcomes.find(({ status }) => status === 'failed' || status === 'unknown');
  if (failed === undefined || isInterrupted) return output;
  const { code = 'TL004', message = 'The command was not done.' } = failed;
  throw commandsFailed({ code: code as ErrorCode, message }, output);
}

async function runCommandsOrFail(
  deps: BrowserDeps,
  input: RunCommandsInput,
  call: ActivityCall,
): Promise<RunCommandsOutput> {
  const output = await runCommands(deps, input, call);
  return unlessFailed(output, output);
}

async function decideAndRunOrFail(
  deps: DecideAndRunDeps,
  input: DecideAndRunInput,
  call: ActivityCall,
): Promise<DecideAndRunOutput> {
  const output = await decideAndRun(deps, input, call);
  const { ran } = output.followed?.at(-1) ?? output;
  return ran === undefined ? output : unlessFailed(output, ran);
}

const ACTIVITIES: ActivityTable<DecideAndRunDeps, BrowserActivities> = {
  acquireBrowser: ['EX001', 'executor', redacting(acquireBrowser)],
  runCommands: ['TL004', 'task-loop', runCommandsOrFail],
  decideAndRun: ['TL004', 'task-loop', decideAndRunOrFail],
  lookAtSite: ['TL005', 'task-loop', redacting(lookAtSite)],
  explore: ['TL005', 'task-loop', redacting(explore)],
  captureFailure: ['EX005', 'executor', redacting(captureFailure)],
  releaseBrowser: ['EX001', 'executor', redacting(releaseBrowser)],
  closeBrowser: ['EX001', 'executor', closeBrowser],
};

/** The activities of a browser worker, closed over what they reach. */
export function createBrowserActivities(
  deps: DecideAndRunDeps & { adoptRun?: AdoptRun | undefined },
): BrowserActivities {
  return createActivities(deps, ACTIVITIES, deps.adoptRun);
}
