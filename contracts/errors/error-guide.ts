import type { ErrorCode } from './standard-error';

/** What stands behind a code, for people: when it is raised, and what to do about it. */
export interface ErrorGuide {
  when: string;
  /** `suggestedAction` of an error that brings none of its own. */
  suggestedAction: string;
}

/** docs/errors.md is written from this. */
export const ERROR_GUIDE: Record<ErrorCode, ErrorGuide> = {
  SP001: {
    when: 'the steps or the configuration of a session are not valid, or the session is in a state that does not allow what was asked',
    suggestedAction: 'Correct what the message names and send the request again.',
  },
  SP002: {
    when: 'a session could not be created or carried on: Temporal or its workers did not take it, or it was ended from outside',
    suggestedAction:
      'Check with `npx surefoot doctor` that Temporal and the workers run, then start the session again.',
  },
  SP003: {
    when: 'a step or the whole session used up its active time',
    suggestedAction: 'Give it more time (stepTimeoutMs, workflowTimeoutMs, timeoutMs of the step) or split the step.',
  },
  SP004: {
    when: 'more sessions are open than are allowed at once',
    suggestedAction: 'Wait until a session has ended, or raise the limit, then send the request again.',
  },
  TL001: {
    when: 'the question to the model could not be written; its cause says why',
    suggestedAction: 'Correct the system prompt of the operator (SUREFOOT_SYSTEM_PROMPT) as the cause says.',
  },
  TL002: {
    when: 'the model could not be asked, or its answer did not arrive',
    suggestedAction: 'Check the connection to the provider of the model; the call is repeated by itself.',
  },
  TL003: {
    when: 'the reply of the model does not fit the reply schema, also after it was told what is wrong with it',
    suggestedAction: 'Use a model that keeps to a schema, or word the step more simply.',
  },
  TL004: {
    when: 'a command failed, the model gave the step up, or the step used up its iterations or the budget of the session',
    suggestedAction: 'Look at the last screenshot of the step, then word the step more exactly or split it.',
  },
  TL005: {
    when: 'the model could not judge what came of its commands',
    suggestedAction: 'Say in the step how to see that it is done, or use another model.',
  },
  EX001: {
    when: 'no browser could be started for the session, or the one it had went away',
    suggestedAction: 'Run `npx surefoot doctor` on the host of the browser.',
  },
  EX002: {
    when: 'no element, or more than one, fits what the command names',
    suggestedAction: 'Name the element as the page shows it.',
  },
  EX003: {
    when: 'the element is there but is covered, disabled or not of the kind that can be acted on so',
    suggestedAction: 'Do first what makes it usable: close what covers it, or fill in what it waits for.',
  },
  EX004: {
    when: 'a page did not load in time',
    suggestedAction: 'Check that the address answers, or raise requestTimeoutMs.',
  },
  EX005: {
    when: 'a screenshot could not be taken or kept',
    suggestedAction: 'Check the free space of the artifact folder; the session goes on without the screenshot.',
  },
  AI001: {
    when: 'the model that a session names is not known, or its provider can not be reached',
    suggestedAction: 'Check the name of the model (aiConfig.model, SUREFOOT_MODEL) and the address of its provider.',
  },
  AI002: {
    when: 'the provider of the model refuses the credentials',
    suggestedAction: 'Give the engine workers valid credentials of the provider, then start the session again.',
  },
  AI003: {
    when: 'the provider of the model takes no more calls for now',
    suggestedAction: 'Wait; the call is repeated after the time that the provider names.',
  },
  AI004: {
    when: 'the provider answered with something that is no answer of a model',
    suggestedAction: 'Look at the log of the engine worker for what came, and check the address of the provider.',
  },
  AI005: {
    when: 'the model itself reported an error or refused the request',
    suggestedAction: 'Word the step otherwise, or use another model.',
  },
  CM001: {
    when: 'there is no session, or no part of a session, with this id',
    suggestedAction: 'Check the id; `npx surefoot list` shows the sessions there are.',
  },
  CM002: {
    when: 'the database or the artifact folder could not be read or written',
    suggestedAction:
      'Check the database (DATABASE_URL) and the free space; the engine goes on by itself when it answers.',
  },
  CM003: {
    when: 'what the model is to be told about the session could not be put together',
    suggestedAction: 'Start the session again; if it happens again, report it with the id of the session.',
  },
  CM004: {
    when: 'what is stored of a session can not be read as what it should be',
    suggestedAction: 'Restore the database from a backup, or start a new session.',
  },
  SM001: {
    when: 'the schema that a reply of the model must keep to could not be made',
    suggestedAction: 'Report it with the id of the session: this is a fault of the engine.',
  },
  SM002: {
    when: 'the parameters of a command are not those of its action, or a variable in them can not be filled in',
    suggestedAction: 'Correct the value that the message names.',
  },
  SM003: {
    when: 'processes or stored sessions of versions that do not fit each other meet',
    suggestedAction: 'Run all processes in one version, or let the sessions of the other version end first.',
  },
  PM001: {
    when: 'the template of the system prompt is not there; a warning, and the session goes on',
    suggestedAction: 'Check the path in SUREFOOT_SYSTEM_PROMPT; the default prompt is used meanwhile.',
  },
  PM002: {
    when: 'something that a prompt needs to tell was not given to the session',
    suggestedAction: 'Give what the message names when the session is started.',
  },
  PM003: {
    when: 'a prompt template could not be filled in',
    suggestedAction: 'Correct the template that the message names.',
  },
  ES001: {
    when: 'the stream of a session could not be opened: the database is away, or as many streams as may be are read',
    suggestedAction: 'Check the database, or wait as long as Retry-After says; connect again with the last event id.',
  },
  ES002: {
    when: 'the connection to a viewer of a stream broke or stalled',
    suggestedAction: 'Connect again with the last event id: nothing is lost.',
  },
  ES003: {
    when: 'an event could not be written to the log',
    suggestedAction: 'Check the database; the event is written when it answers again.',
  },
  FA001: {
    when: 'an HTTP request is not one that is served here',
    suggestedAction: 'Compare the request with the documentation at /docs.',
  },
  FA002: {
    when: 'the caller of the API is not known',
    suggestedAction: 'Send valid credentials.',
  },
  FA003: {
    when: 'the caller has sent more requests than allowed in the time',
    suggestedAction: 'Wait as long as Retry-After says, then send the request again.',
  },
};
