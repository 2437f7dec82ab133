/** Lines of the contracts that are declared here and have no behaviour, with the reason. docs/conformance.md says so. */
export interface WithoutBehaviour {
  ids: readonly string[];
  reason: string;
}

export const WITHOUT_BEHAVIOUR: readonly WithoutBehaviour[] = [
  {
    ids: ['S1.R30', 'S2.R18'],
    reason: 'it is about declarations alone, and their shape proves it',
  },
  {
    ids: ['S1.27.4'],
    reason: 'never set: before its first step a session has nothing that an estimate could rest on',
  },
  {
    ids: ['S1.31.12'],
    reason:
      'never set: the response with its DOM stays behind GET /v1/sessions/{id}; the task-loop format has it without the DOM',
  },
  {
    ids: ['S1.31.18'],
    reason: 'never set: GET /v1/sessions/{id} has the results of steps; the task-loop format has them without the DOM',
  },
  {
    ids: ['S1.29.27'],
    reason:
      'not for INITIALIZING, COMPLETED, FAILED and CLEANUP: the row has them, and the log begins with WORKFLOW_STARTED and ends with WORKFLOW_COMPLETED or WORKFLOW_FAILED',
  },
  {
    ids: ['S1.31.4'],
    reason:
      'plan for the first reply of a step and reflection for all others; analysis and decision are never set: a reply holds both in one text',
  },
  {
    ids: ['S1.40.7'],
    reason: 'computed is never set: the engine computes no value of its own',
  },
  {
    ids: ['S3.1.3'],
    reason:
      'content of steps comes at once, when the reply is stored: fragments of its JSON mean nothing to a reader; content of tasks comes as the model writes',
  },
  { ids: ['S1.32.1'], reason: 'no command is QUEUED: the commands of a reply run one after the other' },
  { ids: ['S1.33.1'], reason: 'no event or result of a step exists before the step begins, so none is PENDING' },
  { ids: ['S1.33.6'], reason: 'no step is SKIPPED: a session ends with its first step that fails' },
  {
    ids: ['S2.3.1'],
    reason: 'the engine uses summary for tools of its workers; for tools of a caller the text is cut',
  },
  {
    ids: ['S2.3.3'],
    reason: 'a scheduler of a caller hands it on as resultDisplay; tools of workers have nobody to show it to',
  },
  {
    ids: ['S2.7.3', 'S2.8.6', 'S2.9.3'],
    reason: 'a scheduler of a caller calls it; on workers a person answers by REST, CLI or signal',
  },
  { ids: ['S2.11.4'], reason: 'no reader of the engine renders Markdown' },
  {
    ids: ['S2.11.7'],
    reason: 'cards of calls show the prompt of shouldConfirmExecute; nothing else asks for a description',
  },
  {
    ids: ['S2.15.8'],
    reason: 'no provider of ours streams the fragments of a function call; the whole call comes as .done',
  },
];
