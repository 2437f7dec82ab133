import { z } from 'zod';
import { budgetCommand, budgetSpentText, WaitingForBudgetSchema } from '../models/budget';
import { answerSecretCommand, describeAskedSecret, WaitingForSecretSchema } from './asked-secret';
import { describeUnknownOutcome, resolveUnknownCommand, WaitingForUnknownSchema } from './unknown-outcome';

/** A conversation is idle: it waits for the next message of its user. */
export const WaitingForMessageSchema = z.object({ pausedFor: z.literal('message') });

/** The database was put back to an earlier time: a person looks at what it had forgotten, and resumes the session. */
export const WaitingForLookSchema = z.object({ pausedFor: z.literal('rolled-back-store'), message: z.string() });

/** Why a session waits although no operator has paused it. */
export const WaitingForSchema = z.discriminatedUnion('pausedFor', [
  WaitingForUnknownSchema,
  WaitingForSecretSchema,
  WaitingForBudgetSchema,
  WaitingForMessageSchema,
  WaitingForLookSchema,
]);
export type WaitingFor = z.infer<typeof WaitingForSchema>;

/** What a session waits for, with a message for people and commands that decide it. */
export type WaitingForAnswer = WaitingFor & { message: string; answerWith: { cli: string; rest: string } };

export function toWaitingForAnswer(sessionId: string, waitingFor: WaitingFor): WaitingForAnswer {
  const path = `/v1/sessions/${sessionId}`;
  switch (waitingFor.pausedFor) {
    case 'budget': {
      const { budget } = waitingFor;
      const rest = `POST ${path}/resolve-budget {"decision": "raise", "${budget.limit}": …} or {"decision": "end"}`;
      return {
        ...waitingFor,
        message: budgetSpentText(budget),
        answerWith: { cli: budgetCommand(sessionId, budget), rest },
      };
    }
    case 'message':
      return {
        ...waitingFor,
        message: 'The conversation is idle and waits for the next message.',
        answerWith: {
          cli: `surefoot add-step ${sessionId} …`,
          rest: `POST ${path}/steps {"steps": [{"task": "…"}]}`,
        },
      };
    case 'rolled-back-store':
      return { ...waitingFor, answerWith: { cli: `surefoot resume ${sessionId}`, rest: `POST ${path}/resume` } };
    case 'secret': {
      const { questionId } = waitingFor.secret;
      return {
        ...waitingFor,
        message: describeAskedSecret(waitingFor.secret),
        answerWith: {
          cli: answerSecretCommand(sessionId),
          rest: `POST ${path}/answer {"questionId": "${questionId}", "value": "…"}`,
        },
      };
    }
    case 'unknown-outcome': {
      const { commandId } = waitingFor.unknown;
      return {
        ...waitingFor,
        message: describeUnknownOutcome(waitingFor.unknown),
        answerWith: {
          cli: resolveUnknownCommand(sessionId, commandId),
          rest: `POST ${path}/resolve-unknown {"commandId": "${commandId}", "happened": true|false}`,
        },
      };
    }
  }
}
