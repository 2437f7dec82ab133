// Workflows of another team, in its own worker: what they import is `surefoot/workflows`.
import { CancellationScope, createNexusServiceClient, isCancellation } from '@temporalio/workflow';
import {
  executeSession,
  sessionErrorOf,
  startSession,
  surefootService,
  type SessionOutcome,
  type StartRequest,
  type SessionWork,
} from '../../client/workflows';

/** Runs a session as its child and says why it has failed, if it has. */
export async function runs(
  work: SessionWork,
  workflowId: string,
): Promise<{ outcome?: SessionOutcome; code?: string; message?: string }> {
  try {
    return { outcome: await executeSession(work, { workflowId, variables: { who: 'a team' } }) };
  } catch (error) {
    const { code, message } = sessionErrorOf(error) ?? {};
    return { ...(code === undefined ? {} : { code }), ...(message === undefined ? {} : { message }) };
  }
}

/** Pauses a session, gives it a step more and lets it go on. */
export async function steers(work: SessionWork, more: string): Promise<SessionOutcome> {
  const session = await startSession(work);
  await session.pause();
  await session.addSteps([more]);
  await session.resume();
  return await session.result();
}

/** Is cancelled itself; resolves when its session has ended. */
export async function isCancelled(work: SessionWork, workflowId: string): Promise<string> {
  try {
    await executeSession(work, { workflowId });
    return 'completed';
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return await CancellationScope.nonCancellable(() => Promise.resolve('cancelled'));
  }
}

/** The same through the Nexus service of another namespace. */
export async function runsOverNexus(endpoint: string, request: StartRequest): Promise<SessionOutcome> {
  const surefoot = createNexusServiceClient({ endpoint, service: surefootService });
  return await surefoot.executeOperation('executeSession', request, { scheduleToCloseTimeout: '2 minutes' });
}
