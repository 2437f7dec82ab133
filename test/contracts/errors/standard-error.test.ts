import { ERRORS, ERROR_CODES, type ErrorCode } from '../../../contracts/errors/error-codes';
import { StandardErrorSchema, standardError } from '../../../contracts/errors/standard-error';

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
/** S1.A19 by the category; then the codes that S1.E and the decisions name, and the times that ran out. */
const STATUS_OF_CATEGORY: Record<string, number> = { VALIDATION: 400, EXECUTION: 500, INTEGRATION: 502, SYSTEM: 500 };
const STATUS_OF_CODE: Partial<Record<ErrorCode, number>> = {
  SP003: 408,
  SP004: 429,
  EX004: 408,
  AI003: 503,
  CM001: 404,
  FA002: 401,
  FA003: 429,
};
const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/) as [ErrorCode, string, string, string, string]);

const at = new Date('2026-01-02T03:04:05.006Z');

test('[S1.R21] codes have their module prefix, count from 001, and there are 35 of them', () => {
  const codes = Object.values(ERROR_CODES).flatMap((module) => Object.values(module) as string[]);
  const counts = { SP: 4, TL: 5, EX: 5, AI: 5, CM: 4, SM: 3, PM: 3, ES: 3, FA: 3 };
  const expected = Object.entries(counts).flatMap(([prefix, count]) =>
    Array.from({ length: count }, (_, index) => `${prefix}${String(index + 1).padStart(3, '0')}`),
  );
  expect(codes).toEqual(expected);
  expect(new Set(codes).size).toBe(35);
});

test('[S1.A17] the table classifies every code and no other', () => {
  expect(Object.keys(ERRORS).sort()).toEqual(ROWS.map(([code]) => code).sort());
});

test.each(ROWS)(
  '[S1.A17] %s is %s, %s, recoverable: %s, retryable: %s',
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
      suggestedAction: ERRORS[code].suggestedAction,
      moduleId: expect.any(String),
    });
  },
);

test('[S1.R22] an error and the error behind it come back whole from JSON', () => {
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

test('every code says when it is raised and what to do, each in its own words', () => {
  const guides = Object.values(ERRORS);
  expect(new Set(guides.map(({ when }) => when)).size).toBe(35);
  for (const { when, suggestedAction } of guides) {
    expect(when).toMatch(/^[a-z].{15,}[^.]$/);
    expect(suggestedAction).toMatch(/^[A-Z].{10,}\.$/);
  }
  const facts = { id: '1', timestamp: at, code: 'AI003', message: 'm' } as const;
  expect(standardError({ ...facts, suggestedAction: 'Wait 30 s.' }).suggestedAction).toBe('Wait 30 s.');
  expect(standardError({ ...facts, suggestedAction: undefined }).suggestedAction).toBe(ERRORS.AI003.suggestedAction);
});

test('[S1.A18] the two codes of RATE_LIMIT_EXCEEDED keep apart: each error gets what its own code says', () => {
  const { AI_INTEGRATION, FRONTEND_API } = ERROR_CODES;
  const [provider, caller] = [AI_INTEGRATION.RATE_LIMIT_EXCEEDED, FRONTEND_API.RATE_LIMIT_EXCEEDED].map((code) => {
    const { severity, suggestedAction } = standardError({ id: '1', timestamp: at, code, message: 'm' });
    return { code, severity, suggestedAction, httpStatus: ERRORS[code].httpStatus };
  });
  expect(provider).toMatchObject({ code: 'AI003', severity: 'MEDIUM', httpStatus: 503 });
  expect(caller).toMatchObject({ code: 'FA003', severity: 'LOW', httpStatus: 429 });
  expect(provider?.suggestedAction).not.toBe(caller?.suggestedAction);
});

test.each(ROWS)('[S1.A19] %s of %s is answered with the status of its category, or its own', (code, category) => {
  expect(ERRORS[code].httpStatus).toBe(STATUS_OF_CODE[code] ?? STATUS_OF_CATEGORY[category]);
});
