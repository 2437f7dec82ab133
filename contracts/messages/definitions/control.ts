import { AddStepsRequestSchema, parseSteps } from '../../sessions/start-request';
import { CancelCallRequestSchema, CancelTurnRequestSchema } from '../../tools/call-cancellation';
import { defineMessage } from '../define-message';

/** What controls a session, and gives it more to do. */
export const CONTROL_DEFINITIONS = {
  pause: defineMessage({
    verb: 'paused',
    path: '/v1/sessions/{id}/pause',
    operationId: 'pauseSession',
    summary: 'Pause a session',
    description: 'The command under way is finished; no other one starts before the session is resumed.',
    done: ({ pauseRequested }) => (pauseRequested ? 'pauses after its current command' : 'is paused'),
    next: { command: 'resume', does: 'goes on' },
  }),
  resume: defineMessage({
    verb: 'resumed',
    path: '/v1/sessions/{id}/resume',
    operationId: 'resumeSession',
    summary: 'Resume a paused session',
    description: 'It goes on where it stopped.',
    done: () => 'goes on',
    next: { command: 'watch', does: 'follows it' },
  }),
  cancel: defineMessage({
    verb: 'cancelled',
    path: '/v1/sessions/{id}/cancel',
    operationId: 'cancelSession',
    summary: 'Cancel a session',
    description: 'Its browser is closed and its log ends with WORKFLOW_FAILED. What it has done and saved stays.',
    done: () => 'is being cancelled',
    isFinal: true,
  }),
  addSteps: defineMessage({
    verb: 'given more steps',
    schema: AddStepsRequestSchema,
    issues({ steps }, config) {
      const parsed = parseSteps(steps, config);
      return parsed.kind === 'invalid' ? parsed.issues : [];
    },
    path: '/v1/sessions/{id}/steps',
    operationId: 'addSteps',
    summary: 'Add steps to a session that has not ended',
    description: 'They run after the steps it has; a session takes at most 100, a conversation as many at once.',
    example: { steps: ['Click "Sign out"', { instruction: 'Expect "Goodbye"', timeoutMs: 60_000 }] },
    done: ({ totalSteps }) => `has ${totalSteps} steps now`,
    isCumulative: true,
  }),
  close: defineMessage({
    verb: 'closed',
    path: '/v1/sessions/{id}/close',
    operationId: 'closeSession',
    summary: 'Close a conversation',
    description: 'A session with `config.agent.stayOpen` ends once it has done what it was given.',
    done: () => 'ends when it has done what it was given',
  }),
  cancelTurn: defineMessage({
    verb: 'asked to stop its response',
    schema: CancelTurnRequestSchema,
    path: '/v1/sessions/{id}/cancel-turn',
    operationId: 'cancelTurn',
    summary: 'Cancel the response of a conversation',
    description: 'Model call, tools and questions under way are given up; the conversation stays open.',
    example: { reason: 'the user changed their mind.' },
    done: () => 'stops its response and stays open',
    isMomentary: true,
  }),
  cancelCall: defineMessage({
    verb: 'asked to cancel a call',
    schema: CancelCallRequestSchema,
    path: '/v1/sessions/{id}/calls/{callId}/cancel',
    operationId: 'cancelCall',
    summary: 'Cancel one tool call of a task',
    description:
      'One that has not begun never begins; one that waits for an approval is not asked about any more; one that ' +
      'runs is stopped, or its result counts where it was quicker. The model gets the reason. It is refused ' +
      'where the call has ended.',
    example: { reason: 'it takes too long' },
    done: (_receipt, { callId }) => `goes on without call ${callId}`,
    isMomentary: true,
  }),
};
