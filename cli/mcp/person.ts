import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { describeUnknownOutcome } from '../../contracts/approvals/unknown-outcome';
import { printableLine, printableLines } from '../../contracts/printable';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import type { ApiClient } from '../../client/http/api-client';
import { ApiError } from '../../client/http/api-error';
import { oneLineOf } from '../context/failure';
import { approvalLines } from '../render/approval-text';
import type { ApprovalQuestion, Details } from './session-view';

/** The person at the client, who is asked in a dialog of the client (elicitation). */
export interface Person {
  /** Resolves to whether the question is settled: answered there, or by other means meanwhile. */
  decide(question: ApprovalQuestion): Promise<boolean>;
  /** The same about a command of which nobody knows whether it happened. */
  resolve(details: Details): Promise<boolean>;
}

/** A dialog may stay open for as long as the client keeps its call; the timer takes no more. */
const LONGEST_MS = 2 ** 31 - 1;
const POLL_MS = 1000;

type Answers = Record<string, { type: 'string'; title: string; enum?: string[]; enumNames?: string[] }>;

interface PersonParts {
  server: Server;
  api: ApiClient;
  signal: AbortSignal;
  progress: (message: string) => void;
}

export function createPerson({ server, api, signal, progress }: PersonParts): Person {
  /** Undefined where the dialog was closed without an answer, or the question was settled elsewhere. */
  const ask = async (message: string, properties: Answers, isOpen: () => Promise<boolean>) => {
    const settled = new AbortController();
    const until = AbortSignal.any([signal, settled.signal]);
    const watch = async (): Promise<void> => {
      while (!until.aborted) {
        await sleep(POLL_MS, undefined, { signal: until }).catch(() => undefined);
        // A client whose calls have a time limit hears that this one is alive.
        progress('Waiting for a person’s answer.');
        if (!until.aborted && !(await isOpen().catch(() => true))) settled.abort();
      }
    };
    const watching = watch();
    try {
      const answer = await server.elicitInput(
        { mode: 'form', message, requestedSchema: { type: 'object', properties, required: ['decision'] } },
        { signal: until, timeout: LONGEST_MS },
      );
      return answer.action === 'accept' ? answer.content : undefined;
    } catch (error) {
      if (settled.signal.aborted) return undefined;
      throw new Error(`The person could not be asked: ${oneLineOf(error)}`, { cause: error });
    } finally {
      settled.abort();
      await watching;
    }
  };

  return {
    async decide(question) {
      const { approvalId } = question;
      const isPending = async () => {
        const now = await api.showApproval(approvalId);
        return now.kind === 'approval' && now.status === 'pending';
      };
      const answer = await ask(
        printableLines(approvalLines(question)),
        {
          decision: {
            type: 'string',
            title: 'Decision',
            enum: ['approve', 'reject'],
            enumNames: ['Approve this call', 'Reject it'],
          },
          reason: { type: 'string', title: 'Reason' },
        },
        isPending,
      );
      if (answer === undefined) return !(await isPending());
      const isYes = answer['decision'] === 'approve';
      const reason = typeof answer['reason'] === 'string' && answer['reason'] !== '' ? answer['reason'] : undefined;
      await unlessAnswered(
        api.decideApproval(
          approvalId,
          {
            outcome: isYes ? ToolConfirmationOutcome.ProceedOnce : ToolConfirmationOutcome.Cancel,
            by: BY,
            ...(reason === undefined ? {} : { reason }),
          },
          // The first answer counts, also when this process dies before it hears that it was taken.
          `mcp-${approvalId}-${isYes ? 'yes' : 'no'}`,
        ),
      );
      return true;
    },
    async resolve({ session: { sessionId }, waitingFor }) {
      if (waitingFor?.pausedFor !== 'unknown-outcome') return false;
      const { unknown } = waitingFor;
      const isOpen = async () => (await api.showSession(sessionId)).waitingFor?.pausedFor === 'unknown-outcome';
      const answer = await ask(
        printableLine(`${describeUnknownOutcome(unknown)} Look for its effect first.`),
        {
          decision: {
            type: 'string',
            title: 'Did it happen?',
            enum: ['yes', 'no'],
            enumNames: ['It happened', 'It did not; run it again'],
          },
        },
        isOpen,
      );
      if (answer === undefined) return !(await isOpen());
      const { commandId } = unknown;
      await unlessAnswered(api.resolveUnknown(sessionId, { commandId, happened: answer['decision'] === 'yes' }));
      return true;
    },
  };
}

const BY = 'a person, by MCP';

/** An answer that somebody else has given before counts as well. */
async function unlessAnswered(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  });
}
