// Requests and answers as the documentation shows them.

export const SESSION_ID = '0b6f0f4e-6a53-4a52-9f0c-0a3c7b9f1d2e';

export const APPROVAL_ID = 'appr_5f3e7c1a9d202b1c';

/** Of the demo shop, where its usual port is free. */
export const SHOP = 'http://127.0.0.1:4000';

const AT = '2026-03-01T09:30:00.000Z';
const metadata = {
  timestamp: AT,
  requestId: '5d0c5f0a-2f0e-4b5e-8a57-3f4f1f6f2c11',
  version: '1.0.0',
  processingTimeMs: 7.4,
};

function successExample(data: unknown) {
  return { success: true, data, metadata };
}

function errorExample(code: string, message: string, retryable: boolean, details?: object) {
  const error = { code, message, ...(details === undefined ? {} : { details }), retryable, timestamp: AT };
  return { success: false, error, metadata };
}

const self = `/v1/sessions/${SESSION_ID}`;

export const startExample = {
  steps: [`open ${SHOP}/`, 'click "Sign in"', 'expect "Welcome"'],
  config: { maxIterations: 6, timeouts: { stepTimeoutMs: 120_000 } },
  variables: { password: { env: 'SHOP_PASSWORD' } },
};
export const startTaskExample = {
  steps: [{ task: 'Find the cheapest tent and report its price', url: `${SHOP}/`, maxSteps: 20 }],
  config: { aiConfig: { model: 'vertexai/gemini-2.5-flash' }, agent: { tools: ['read_page', 'find', 'computer'] } },
};
export const startConversationExample = {
  steps: [{ task: `Open ${SHOP}/ and sign in` }],
  config: { agent: { stayOpen: true, approvalMode: 'always' } },
};
export const approveSessionExample = { reason: 'within the budget' };
export const rejectSessionExample = { reason: 'too dear' };
export const pairBrowserExample = { label: 'my laptop' };

export const startedExample = successExample({
  sessionId: SESSION_ID,
  streamId: 'f4b0a1d6-93a4-4b6e-8a5c-0f5b7f1b8a77',
  status: 'INITIALIZING',
  initialStatus: 'INITIALIZING',
  createdAt: AT,
  isNew: true,
  totalSteps: 3,
  warnings: [],
  links: {
    self,
    events: `${self}/events`,
    stream: `${self}/events`,
    screenshots: `${self}/screenshots`,
    docs: '/docs',
  },
});

export const MESSAGE_ID = '8d1f5a52-6c1b-5f0e-9a57-2f4f1f6f2c11';
const accepted = { status: 'ACTIVE', pauseRequested: true, totalSteps: 3 };
export const acceptedExample = successExample({ ...accepted, messageId: MESSAGE_ID, messageState: 'applied' });
export const messageExample = successExample({
  messageId: MESSAGE_ID,
  sessionId: SESSION_ID,
  name: 'pause',
  state: 'applied',
  createdAt: AT,
  settledAt: AT,
  answer: accepted,
});

export const eventPageExample = {
  ...successExample([
    {
      id: '0198c1f0-5f3e-7c1a-9d20-2b1c8f1e7a01/1',
      type: 'WORKFLOW_STARTED',
      timestamp: AT,
      sessionId: SESSION_ID,
      data: { message: 'Session started: 3 steps, led by rules.', details: { totalSteps: 3, model: 'rules' } },
      metadata: { seq: 1, owner: 'step-processor' },
      seq: 1,
    },
  ]),
  nextAfter: 1,
  hasMore: true,
  isEnded: false,
};

const issue = { path: 'steps[0].tries', message: 'unknown field tries' };

export const errorExamples = {
  400: errorExample('FA001', `The request is not valid: ${issue.path}: ${issue.message}`, false, { issues: [issue] }),
  401: errorExample(
    'FA002',
    'Expected a pairing token that was not used and is not older than five minutes, got another one.',
    false,
  ),
  403: errorExample(
    'SP001',
    'The session can not be started: config.agent.approvalMode: the operator requires at least default (SUREFOOT_APPROVAL_FLOOR), got yolo',
    false,
  ),
  404: errorExample('CM001', `There is no session ${SESSION_ID}.`, false),
  409: errorExample('SP001', `Session ${SESSION_ID} can't be paused: it is COMPLETED.`, false, { state: 'COMPLETED' }),
  410: errorExample('CM001', `The log of session ${SESSION_ID} is gone.`, false, { firstSeq: 120 }),
  413: errorExample(
    'FA001',
    'The body is larger than the limit of 1048576 bytes (1 MB). Send less in one request.',
    false,
    {
      limitBytes: 1_048_576,
    },
  ),
  415: errorExample(
    'FA001',
    'Expected a JSON body with the header Content-Type: application/json, got text/plain.',
    false,
  ),
  416: errorExample('FA001', 'The file has 1024 bytes; the range bytes=2048- has none of them.', false),
  422: errorExample(
    'SP001',
    `This Idempotency-Key has made session ${SESSION_ID} with another request. Send the same request, or another key.`,
    false,
  ),
  429: errorExample(
    'SP004',
    '100 sessions are open, which is the limit; nothing was started. Try again when one has ended, or raise SUREFOOT_MAX_SESSIONS.',
    true,
  ),
  503: errorExample('CM002', 'The database does not answer (ECONNREFUSED). Start it, or check DATABASE_URL.', true),
};
