import { StandardErrorSchema as error } from '../errors/standard-error';
import { StandardWarningSchema as warning } from '../errors/standard-warning';
import {
  PageInfoSchema as page,
  ScreenshotInfoSchema as screenshot,
  VariableInfoSchema as variable,
} from '../sessions/resources';
import { defineEvent, defineEvents } from './event-definition';
import {
  command,
  elementDiscovery,
  investigation,
  investigationTool,
  progress,
  reasoning,
  step,
  workingMemory,
} from './event-payloads';
import { commandEnd, detail, errorText, line, sessionFailure, stepFailure, thought } from './event-lines';

/**
 * The events of S1.29, one definition each, in the order of the contract. The enum, the payload schema, the owners, the
 * end of a log and the lines of a terminal derive from this table: a new event is an entry here, and where it is published.
 */
export const EVENTS = defineEvents({
  WORKFLOW_STARTED: defineEvent({
    owners: ['step-processor'],
    payload: {},
    toTerminal: ({ data, sessionId }) => line('plain', data.message ?? 'Session started.', sessionId),
  }),
  WORKFLOW_PROGRESS: defineEvent({
    owners: ['step-processor'],
    payload: { progress },
    toTerminal: ({ data }) => detail('workflow progress', data),
  }),
  WORKFLOW_COMPLETED: defineEvent({
    owners: ['step-processor'],
    payload: {},
    endsLog: true,
    toTerminal: ({ data }, { sinceSessionStartMs }) =>
      line('good', `Session completed: ${data.message ?? 'all steps are done.'}`, sinceSessionStartMs),
  }),
  WORKFLOW_FAILED: defineEvent({
    owners: ['step-processor'],
    payload: { error },
    endsLog: true,
    toTerminal: ({ data }, context) => sessionFailure(data, context),
  }),
  WORKFLOW_PAUSED: defineEvent({
    owners: ['step-processor'],
    payload: {},
    toTerminal: ({ data }) => line('warning', data.message ?? 'Paused.'),
  }),
  WORKFLOW_RESUMED: defineEvent({
    owners: ['step-processor'],
    payload: {},
    toTerminal: ({ data }) => line('plain', data.message ?? 'Resumed.'),
  }),
  STEP_STARTED: defineEvent({
    owners: ['step-processor'],
    payload: { step },
    toTerminal: ({ data }) => line('plain', data.step?.stepContent ?? 'step started'),
  }),
  STEP_COMPLETED: defineEvent({
    owners: ['step-processor'],
    payload: { step },
    toTerminal: ({ facts }, { sinceStepStartMs }) => [
      ...(facts?.kind === 'task-end' && facts.answer !== '' ? line('strong', facts.answer) : []),
      ...line('good', 'step done', sinceStepStartMs),
    ],
  }),
  STEP_FAILED: defineEvent({
    owners: ['step-processor'],
    payload: { step, error },
    toTerminal: ({ data }, { sinceStepStartMs }) => line('bad', stepFailure(data), sinceStepStartMs),
  }),
  INVESTIGATION_STARTED: defineEvent({
    owners: ['task-loop'],
    payload: { investigation },
    toTerminal: () => line('quiet', 'looking closer at the page'),
  }),
  INVESTIGATION_PHASE_STARTED: defineEvent({
    owners: ['task-loop'],
    payload: { investigation },
    toTerminal: ({ data }) => detail('investigation phase started', data),
  }),
  INVESTIGATION_PHASE_COMPLETED: defineEvent({
    owners: ['task-loop'],
    payload: { investigation },
    toTerminal: ({ data }) => detail('investigation phase completed', data),
  }),
  INVESTIGATION_TOOL_STARTED: defineEvent({
    owners: ['task-loop'],
    payload: { investigationTool },
    toTerminal: ({ data }) => detail('investigation tool started', data),
  }),
  INVESTIGATION_TOOL_COMPLETED: defineEvent({
    owners: ['task-loop'],
    payload: { investigationTool },
    toTerminal: ({ data }) => detail('investigation tool completed', data),
  }),
  INVESTIGATION_COMPLETED: defineEvent({
    owners: ['task-loop'],
    payload: { investigation },
    toTerminal: ({ data }) => detail('investigation completed', data),
  }),
  INVESTIGATION_FAILED: defineEvent({
    owners: ['task-loop'],
    payload: { investigation, error },
    toTerminal: ({ data }) =>
      line('warning', `the closer look failed${data.error === undefined ? '' : `: ${data.error.message}`}`),
  }),
  ELEMENT_DISCOVERED: defineEvent({
    owners: ['task-loop'],
    payload: { elementDiscovery },
    toTerminal: ({ data }) => detail(`found ${data.elementDiscovery?.selector ?? 'an element'}`),
  }),
  WORKING_MEMORY_UPDATED: defineEvent({
    owners: ['task-loop'],
    payload: { workingMemory },
    toTerminal: ({ data }) => detail('working memory updated', data),
  }),
  AI_REASONING: defineEvent({
    owners: ['ai-integration', 'task-loop'],
    payload: { reasoning },
    // The rules model only repeats the step; people want to follow the thoughts of the other models.
    toTerminal: ({ data }, { model }) =>
      model === 'rules' || data.reasoning === undefined
        ? detail(thought(data))
        : line('quiet', thought(data), `confidence ${data.reasoning.confidence}`),
  }),
  AI_RESPONSE_RECEIVED: defineEvent({
    owners: ['ai-integration', 'task-loop'],
    payload: {},
    // A terminal shows replies when they are complete, not while a model still writes them.
    toTerminal: ({ data }) => {
      const { callId, evidence } = data.details ?? {};
      if (callId !== undefined) return [];
      // What a task rests its end on.
      const quoted = typeof evidence === 'string' && evidence !== '' ? line('quiet', `evidence: ${evidence}`) : [];
      return [...detail('ai response received', data), ...quoted];
    },
  }),
  COMMAND_STARTED: defineEvent({
    owners: ['task-loop'],
    payload: { command },
    toTerminal: ({ data }, { describeCommand }) =>
      data.command === undefined ? [] : detail(`${describeCommand(data.command)} ...`),
  }),
  COMMAND_COMPLETED: defineEvent({
    owners: ['task-loop'],
    payload: { command },
    toTerminal: ({ data }, context) => commandEnd(data, context),
  }),
  COMMAND_FAILED: defineEvent({
    owners: ['task-loop'],
    payload: { command, error },
    toTerminal: ({ data }, context) => commandEnd(data, context),
  }),
  SCREENSHOT_CAPTURED: defineEvent({
    owners: ['executor'],
    payload: { screenshot },
    toTerminal: ({ data }) => detail(`screenshot ${data.screenshot?.filePath ?? data.screenshot?.id ?? ''}`),
  }),
  VARIABLE_UPDATED: defineEvent({
    owners: ['executor'],
    payload: { variable },
    toTerminal({ data: { variable: updated } }) {
      if (updated === undefined) return [];
      const text = `${updated.name} = ${updated.value}`;
      // Who gave it knows it.
      return updated.source === 'user_input' ? detail(text) : line('good', text);
    },
  }),
  PAGE_NAVIGATED: defineEvent({
    owners: ['executor'],
    payload: { page },
    toTerminal: ({ data }) => detail(`page ${data.page?.url ?? ''} ${data.page?.title ?? ''}`.trimEnd()),
  }),
  SESSION_STATUS: defineEvent({
    owners: ['executor-streamer'],
    payload: {},
    toTerminal({ data: { message, details } }) {
      if (details?.['pausedFor'] === 'approval') return line('warning', message ?? 'waiting for an approval');
      // Other changes than waits, and what is said of a profile, have events of their own.
      const isNews = ['waitingFor', 'waitedMs', 'profileVersion', 'signsIn'].some(
        (each) => details?.[each] !== undefined,
      );
      return isNews ? line('plain', message ?? '') : detail(`session status: ${message ?? ''}`);
    },
  }),
  ERROR_OCCURRED: defineEvent({
    owners: ['executor-streamer'],
    payload: { error },
    // STEP_FAILED follows at once and shows the error of a step.
    toTerminal: ({ data, stepIndex }) =>
      stepIndex === undefined && data.error !== undefined
        ? line('bad', errorText(data.error))
        : detail('an error occurred'),
  }),
  WARNING_ISSUED: defineEvent({
    owners: ['executor-streamer'],
    payload: { warning },
    toTerminal: ({ data }) => line('warning', data.warning?.message ?? data.message ?? 'warning'),
  }),
});
