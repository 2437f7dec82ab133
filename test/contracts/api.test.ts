import { z } from 'zod';
import { APIErrorSchema, apiResponseSchema, paginatedResponseSchema } from '../../contracts/api';
import { WorkflowSessionSchema } from '../../contracts/sessions/session';
import { ScreenshotInfoSchema, VariableInfoSchema } from '../../contracts/sessions/resources';
import { SYSTEM_VERSION, SYSTEM_VERSION_TEXT } from '../../contracts/modules/version';

const AT = '2026-01-02T03:04:05.006Z';
const metadata = { timestamp: AT, requestId: 'r', version: '1.0.0', processingTimeMs: 1.5 };
const session = {
  sessionId: '0e0f2f0c-9f57-4d0e-8c3d-1c1d7a6f8a11',
  executorSessionId: 'e',
  aiConnectionId: 'default',
  createdAt: AT,
  lastActivity: AT,
  status: 'ACTIVE',
};

test('[S1.A20] an answer with a session comes back from JSON, its dates as dates', () => {
  const schema = apiResponseSchema(WorkflowSessionSchema);
  const wire = { success: true, data: session, metadata };
  const parsed = schema.parse(wire);
  expect(parsed.data?.createdAt).toEqual(new Date(AT));
  expect(JSON.parse(JSON.stringify(parsed))).toEqual(wire);
});

test('S1.62: an error says its code, its sentence, whether to try again, and when', () => {
  const wire = { code: 'FA001', message: 'm', details: { issues: [] }, retryable: false, timestamp: AT };
  expect(APIErrorSchema.parse(wire)).toEqual(wire);
  expect(apiResponseSchema(z.string()).parse({ success: false, error: wire, metadata })).toMatchObject({ error: wire });
});

test.each(['2026-01-02', '2026-01-02T03:04:05+01:00', 'yesterday', 1_767_323_045_006])(
  '[S1.A20] %j is no time of the API',
  (timestamp) => {
    const error = { code: 'FA001', message: 'm', retryable: false, timestamp };
    expect(APIErrorSchema.safeParse(error).success).toBe(false);
  },
);

test('S1.63: a page of a list has its place beside the data', () => {
  const pagination = { total: 51, page: 2, pageSize: 50, hasNext: false, hasPrevious: true };
  const wire = { success: true, data: [session], pagination, metadata };
  expect(JSON.parse(JSON.stringify(paginatedResponseSchema(WorkflowSessionSchema).parse(wire)))).toEqual(wire);
  expect(paginatedResponseSchema(z.string()).safeParse({ success: true, data: [] }).success).toBe(false);
});

test('S1.39, S1.40: what a session keeps comes back from JSON whole', () => {
  const screenshot = {
    id: 'i',
    sessionId: 's',
    actionType: 'OPEN_PAGE',
    timestamp: AT,
    filePath: 's/i.png',
    dimensions: { width: 1280, height: 720 },
    fileSize: 3,
  };
  const variable = { name: 'a', value: 'b', timestamp: AT, sessionId: 's', source: 'extracted' };
  expect(JSON.parse(JSON.stringify(ScreenshotInfoSchema.parse(screenshot)))).toEqual(screenshot);
  expect(JSON.parse(JSON.stringify(VariableInfoSchema.parse(variable)))).toEqual(variable);
});

test('[S1.A21] the version is 1.0.0 as numbers and as text', () => {
  expect(SYSTEM_VERSION).toEqual({ major: 1, minor: 0, patch: 0 });
  expect(SYSTEM_VERSION_TEXT).toBe('1.0.0');
});
