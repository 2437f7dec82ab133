import type { Client, WorkflowHandle } from '@temporalio/client';
import { ResolveBudgetRequestSchema } from '../../contracts/models/budget';
import { parseSteps } from '../../contracts/sessions/start-request';
import { ResolveUnknownRequestSchema } from '../../contracts/approvals/unknown-outcome';
import type { Store } from '../../store/store';
import {
  addStepsUpdate,
  cancelUpdate,
  pauseUpdate,
  resolveBudgetUpdate,
  resolveUnknownUpdate,
  resumeUpdate,
  type Accepted,
} from '../../workflows/messages';
import { DEADLINES } from '../connection/deadlines';
import type { Sessions } from '../port';
import { assertPairedBrowser } from './paired-browser';
import { isEnded, requireSessionRow } from './session-row';
import { invalid } from './start';
import { fromStore } from '../connection/store-errors';
import { toClientError, wrongState } from '../connection/temporal-errors';
import { issuesOf } from '../../contracts/errors/issues';

export type Control = Pick<Sessions, 'pause' | 'resume' | 'cancel' | 'addSteps' | 'resolveUnknown' | 'resolveBudget'>;

/** Sends updates to the running workflow. Reads the row first, so that an ended session is refused without Temporal. */
export function createUpdateSender({ store, temporal }: { store: Store; temporal: Client }) {
  const openRow = async (name: string, verb: string) => {
    const row = await fromStore(() => requireSessionRow(store, name));
    if (isEnded(row)) throw wrongState({ sessionId: row.sessionId, verb, status: row.status, isEnded: true });
    return row;
  };

  async function sendUpdate(
    name: string,
    verb: string,
    update: (handle: WorkflowHandle) => Promise<Accepted>,
  ): Promise<Accepted> {
    const { sessionId, workflowId } = await openRow(name, verb);
    const handle = temporal.workflow.getHandle(workflowId);
    try {
      return await temporal.withDeadline(Date.now() + DEADLINES.update, () => update(handle));
    } catch (error) {
      // Read again, as the session may have ended during the update.
      const row = await fromStore(() => requireSessionRow(store, sessionId));
      throw toClientError(error, { sessionId, verb, status: row.status, isEnded: isEnded(row) });
    }
  }

  return { openRow, sendUpdate };
}

export function createControl(parts: { store: Store; temporal: Client }): Control {
  const { store } = parts;
  const { openRow, sendUpdate } = createUpdateSender(parts);
  return {
    pause: (name) => sendUpdate(name, 'paused', (handle) => handle.executeUpdate(pauseUpdate)),
    resume: (name) => sendUpdate(name, 'resumed', (handle) => handle.executeUpdate(resumeUpdate)),
    cancel: (name) => sendUpdate(name, 'cancelled', (handle) => handle.executeUpdate(cancelUpdate)),
    async resolveUnknown(name, answer) {
      const parsed = ResolveUnknownRequestSchema.safeParse(answer);
      if (!parsed.success) throw invalid('The answer is not valid', issuesOf(parsed.error));
      return sendUpdate(name, 'given this answer', (handle) =>
        handle.executeUpdate(resolveUnknownUpdate, { args: [parsed.data] }),
      );
    },
    async resolveBudget(name, decision) {
      const parsed = ResolveBudgetRequestSchema.safeParse(decision);
      if (!parsed.success) throw invalid('The decision is not valid', issuesOf(parsed.error));
      return sendUpdate(name, 'given this decision', (handle) =>
        handle.executeUpdate(resolveBudgetUpdate, { args: [parsed.data] }),
      );
    },
    async addSteps(name, inputs) {
      const verb = 'given more steps';
      const row = await openRow(name, verb);
      const parsed = parseSteps(inputs, row.plan.config);
      if (parsed.kind === 'invalid') throw invalid('The steps can not be added', parsed.issues);
      if (parsed.steps.some(({ task }) => task !== undefined)) await assertPairedBrowser(store, row.plan.config.agent);
      return sendUpdate(row.sessionId, verb, (handle) =>
        handle.executeUpdate(addStepsUpdate, { args: [parsed.inputs] }),
      );
    },
  };
}
