/* oxlint-disable typescript/no-explicit-any -- the contract says any in these places */
import {
  APIErrorSchema,
  apiResponseSchema,
  paginatedResponseSchema,
  type APIError,
  type APIResponse,
  type PaginatedResponse,
} from '../../contracts/api';
import { WorkflowSessionSchema } from '../../contracts/sessions/session';
import {
  BreakingChangeSchema,
  CompatibilityMatrixSchema,
  SYSTEM_VERSION,
  VersionInfoSchema,
  type BreakingChange,
  type CompatibilityMatrix,
  type VersionInfo,
} from '../../contracts/modules/version';
import { faultsOf, proveSame } from './prove';
import { AT, below, UUID } from './samples';

interface Metadata {
  timestamp: string;
  requestId: string;
  version: string;
  processingTimeMs: number;
}
interface Envelope<T = any> {
  success: boolean;
  data?: T | undefined;
  error?: APIError | undefined;
  metadata?: Metadata | undefined;
}
interface Page<T> extends Envelope<T[]> {
  pagination: { total: number; page: number; pageSize: number; hasNext: boolean; hasPrevious: boolean };
}

const METADATA = { timestamp: AT, requestId: 'r', version: '1.0.0', processingTimeMs: 1 };
const API_ERROR = { code: 'FA001', message: 'm', details: {}, retryable: false, timestamp: AT };
const SESSION = {
  sessionId: UUID,
  executorSessionId: 'e',
  aiConnectionId: 'a',
  createdAt: AT,
  lastActivity: AT,
  status: 'ACTIVE',
};

test('[S1.61] APIResponse has the members of the contract, for data of any or of one kind', () => {
  expect(proveSame<APIResponse, Envelope>(true)).toBe(true);
  expect(proveSame<APIResponse<string>, Envelope<string>>(true)).toBe(true);
  const whole = { success: true, data: SESSION, error: API_ERROR, metadata: METADATA };
  const schema = apiResponseSchema(WorkflowSessionSchema);
  expect(faultsOf(schema, whole, ['data', 'error', 'error.details', 'metadata'])).toEqual([]);
  for (const name of Object.keys(METADATA)) {
    const { [name as keyof typeof METADATA]: _, ...rest } = METADATA;
    expect(schema.safeParse({ ...whole, metadata: rest }).success).toBe(false);
  }
});

test('[S1.62] APIError has the members of the contract, its time as text', () => {
  expect(
    proveSame<
      APIError,
      {
        code: string;
        message: string;
        details?: Record<string, any> | undefined;
        retryable: boolean;
        timestamp: string;
      }
    >(true),
  ).toBe(true);
  expect(faultsOf(APIErrorSchema, API_ERROR, ['details'])).toEqual([]);
});

test('[S1.63] PaginatedResponse is an APIResponse of a list, with its place in the whole', () => {
  expect(proveSame<PaginatedResponse<number>, Page<number>>(true)).toBe(true);
  const pagination = { total: 51, page: 2, pageSize: 50, hasNext: false, hasPrevious: true };
  const whole = { success: true, data: [SESSION], error: API_ERROR, pagination, metadata: METADATA };
  const optional = ['data', 'error', 'error.details', 'metadata'];
  expect(faultsOf(paginatedResponseSchema(WorkflowSessionSchema), whole, optional)).toEqual([]);
});

test('[S1.64] VersionInfo has the members of the contract', () => {
  expect(
    proveSame<
      VersionInfo,
      {
        major: number;
        minor: number;
        patch: number;
        prerelease?: string | undefined;
        build?: string | undefined;
      }
    >(true),
  ).toBe(true);
  const whole = { major: 1, minor: 0, patch: 0, prerelease: 'rc.1', build: '7' };
  expect(faultsOf(VersionInfoSchema, whole, ['prerelease', 'build'])).toEqual([]);
});

const CHANGE = { version: '2.0.0', description: 'd', migrationGuide: 'g', affectedModules: ['executor'] };

test('[S1.65] CompatibilityMatrix has an entry per module, with the members of the contract', () => {
  expect(
    proveSame<
      CompatibilityMatrix,
      Record<string, { supportedVersions: string[]; deprecatedVersions: string[]; breakingChanges: BreakingChange[] }>
    >(true),
  ).toBe(true);
  const whole = {
    executor: { supportedVersions: ['1.0.0'], deprecatedVersions: ['0.9.0'], breakingChanges: [CHANGE] },
  };
  const optional = ['executor', ...below('executor.breakingChanges[]', ['migrationGuide'])];
  expect(faultsOf(CompatibilityMatrixSchema, whole, optional)).toEqual([]);
});

test('[S1.66] BreakingChange has the members of the contract', () => {
  expect(
    proveSame<
      BreakingChange,
      { version: string; description: string; migrationGuide?: string | undefined; affectedModules: string[] }
    >(true),
  ).toBe(true);
  expect(faultsOf(BreakingChangeSchema, CHANGE, ['migrationGuide'])).toEqual([]);
});

test('[S1.67] SYSTEM_VERSION is 1.0.0', () => {
  expect(SYSTEM_VERSION).toEqual({ major: 1, minor: 0, patch: 0 });
  expect(proveSame<typeof SYSTEM_VERSION, VersionInfo>(true)).toBe(true);
});
