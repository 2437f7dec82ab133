import { ERROR_CODES, ERROR_TABLE, StandardErrorSchema, standardError, type ErrorCode } from '../../contracts/errors';

const CODES = {
  STEP_PROCESSOR: {
    VALIDATION_FAILED: 'SP001',
    SESSION_CREATION_FAILED: 'SP002',
    TASK_LOOP_TIMEOUT: 'SP003',
    CONCURRENT_LIMIT_EXCEEDED: 'SP004',
  },
  TASK_LOOP: {
    PROMPT_GENERATION_FAILED: 'TL001',
    AI_COMMUNICATION_ERROR: 'TL002',
    RESPONSE_PARSING_ERROR: 'TL003',
    COMMAND_EXECUTION_FAILED: 'TL004',
    REFLECTION_FAILED: 'TL005',
  },
  EXECUTOR: {
    BROWSER_LAUNCH_FAILED: 'EX001',
    SELECTOR_NOT_FOUND: 'EX002',
    ELEMENT_NOT_INTERACTABLE: 'EX003',
    PAGE_LOAD_TIMEOUT: 'EX004',
    SCREENSHOT_FAILED: 'EX005',
  },
  AI_INTEGRATION: {
    CONNECTION_FAILED: 'AI001',
    AUTHENTICATION_ERROR: 'AI002',
    RATE_LIMIT_EXCEEDED: 'AI003',
    INVALID_RESPONSE: 'AI004',
    MODEL_ERROR: 'AI005',
  },
  CONTEXT_MANAGER: {
    SESSION_NOT_FOUND: 'CM001',
    STORAGE_ERROR: 'CM002',
    CONTEXT_GENERATION_FAILED: 'CM003',
    DATA_CORRUPTION: 'CM004',
  },
  SCHEMA_MANAGER: {
    SCHEMA_GENERATION_FAILED: 'SM001',
    VALIDATION_ERROR: 'SM002',
    SCHEMA_VERSION_MISMATCH: 'SM003',
  },
  PROMPT_MANAGER: {
    TEMPLATE_NOT_FOUND: 'PM001',
    CONTEXT_UNAVAILABLE: 'PM002',
    TEMPLATE_RENDERING_FAILED: 'PM003',
  },
  EXECUTOR_STREAMER: {
    STREAM_CREATION_FAILED: 'ES001',
    CLIENT_CONNECTION_ERROR: 'ES002',
    EVENT_PUBLISHING_FAILED: 'ES003',
  },
  FRONTEND_API: {
    REQUEST_VALIDATION_FAILED: 'FA001',
    AUTHENTICATION_FAILED: 'FA002',
    RATE_LIMIT_EXCEEDED: 'FA003',
  },
};

/** S1.E, with SP004 retryable by the decision over the notes. */
const TABLE = `
  SP001 VALIDATION  MEDIUM   no  no
  SP002 EXECUTION   CRITICAL yes yes
  SP003 EXECUTION   HIGH     yes yes
  SP004 SYSTEM      CRITICAL yes yes
  TL001 INTEGRATION MEDIUM   yes no
  TL002 INTEGRATION HIGH     yes yes
  TL003 INTEGRATION MEDIUM   yes yes
  TL004 EXECUTION   HIGH     yes yes
  TL005 EXECUTION   MEDIUM   yes yes
  EX001 SYSTEM      CRITICAL no  no
  EX002 VALIDATION  MEDIUM   yes no
  EX003 VALIDATION  MEDIUM   yes yes
  EX004 EXECUTION   HIGH     yes yes
  EX005 EXECUTION   LOW      yes yes
  AI001 INTEGRATION CRITICAL yes yes
  AI002 INTEGRATION CRITICAL no  no
  AI003 SYSTEM      MEDIUM   yes yes
  AI004 VALIDATION  LOW      yes no
  AI005 EXECUTION   HIGH     yes no
  CM001 VALIDATION  MEDIUM   yes no
  CM002 SYSTEM      HIGH     yes yes
  CM003 EXECUTION   MEDIUM   yes yes
  CM004 SYSTEM      CRITICAL no  no
  SM001 SYSTEM      HIGH     yes no
  SM002 VALIDATION  MEDIUM   yes yes
  SM003 VALIDATION  HIGH     no  no
  PM001 SYSTEM      HIGH     yes no
  PM002 INTEGRATION MEDIUM   yes yes
  PM003 EXECUTION   MEDIUM   yes no
  ES001 SYSTEM      HIGH     yes yes
  ES002 INTEGRATION LOW      yes yes
  ES003 INTEGRATION LOW      yes yes
  FA001 VALIDATION  MEDIUM   no  no
  FA002 USER        MEDIUM   yes no
  FA003 SYSTEM      LOW      yes yes`;
const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/) as [ErrorCode, string, string, string, string]);

const at = new Date('2026-01-02T03:04:05.006Z');

test('S1.38: every module, key and code is the one of the contract', () => {
  expect(ERROR_CODES).toEqual(CODES);
});

test('S1.R21: codes have their module prefix, count from 001, and there are 35 of them', () => {
  const codes = Object.values(ERROR_CODES).flatMap((module) => Object.values(module) as string[]);
  const counts = { SP: 4, TL: 5, EX: 5, AI: 5, CM: 4, SM: 3, PM: 3, ES: 3, FA: 3 };
  const expected = Object.entries(counts).flatMap(([prefix, count]) =>
    Array.from({ length: count }, (_, index) => `${prefix}${String(index + 1).padStart(3, '0')}`),
  );
  expect(codes).toEqual(expected);
  expect(new Set(codes).size).toBe(35);
});

test('S1.E: the table classifies every code and no other', () => {
  expect(Object.keys(ERROR_TABLE).sort()).toEqual(ROWS.map(([code]) => code).sort());
});

test.each(ROWS)(
  'S1.E: %s is %s, %s, recoverable: %s, retryable: %s',
  (code, category, severity, recoverable, retry) => {
    expect(standardError({ id: '1', timestamp: at, code, message: 'text' })).toEqual({
      id: '1',
      timestamp: at,
      code,
      message: 'text',
      category,
      severity,
      recoverable: recoverable === 'yes',
      retryable: retry === 'yes',
    });
  },
);

test('S1.36, S1.R22: an error and the error behind it come back whole from JSON', () => {
  const cause = standardError({ id: '2', timestamp: at, code: 'EX002', message: 'no such element', commandId: 'c' });
  const error = standardError({
    id: '1',
    timestamp: at,
    code: 'TL004',
    message: 'a command failed',
    cause,
    sessionId: 's',
    stepIndex: 3,
    moduleId: 'task-loop',
    details: { tries: 2 },
    suggestedAction: 'look again',
  });
  expect(StandardErrorSchema.parse(JSON.parse(JSON.stringify(error)))).toEqual(error);
});
