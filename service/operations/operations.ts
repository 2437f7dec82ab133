import { ERRORS, type ErrorCode } from '../../contracts/errors/error-codes';
import type { Operations as Report, OperationsQuery, ProcessRole } from '../../contracts/modules/operations';
import type { ModelLimits } from '../../contracts/models/model-limits';
import type { RetentionPolicy } from '../../store/retention/retention';
import type { ProcessCount } from '../../store/processes';
import type { Store } from '../../store/store';
import { fromStore } from '../connection/store-errors';
import { findTroubles } from './troubles';

/** What an operator looks at. Methods may throw ClientError. */
export interface Operations {
  read(query: OperationsQuery): Promise<Report>;
}

export function createOperations({
  store,
  keep,
  modelLimits: { requestsPerMinute, tokensPerMinute, breaker },
}: {
  store: Pick<Store, 'operations' | 'processes'>;
  keep: RetentionPolicy;
  modelLimits: Pick<ModelLimits, 'requestsPerMinute' | 'tokensPerMinute'> & {
    breaker: Pick<ModelLimits['breaker'], 'failures' | 'openMs'>;
  };
}): Operations {
  return {
    async read(query) {
      const [{ kept, failures, ...figures }, counts] = await fromStore(() =>
        Promise.all([store.operations.read(query), store.processes.counts()]),
      );
      const report = {
        ...figures,
        processes: counts.flatMap(toProcesses),
        failures: failures.map((failure) => ({ ...failure, ...adviceFor(failure.code) })),
        retention: { ...keep, ...kept },
        limits: {
          requestsPerMinute,
          tokensPerMinute,
          breakerFailures: breaker.failures,
          breakerOpenMs: breaker.openMs,
        },
      };
      return { troubles: findTroubles(report), ...report };
    },
  };
}

/** By the module that each kind of process says it carries. */
const ROLES: Readonly<Record<string, ProcessRole>> = {
  'step-processor': 'engine',
  executor: 'browser',
  'frontend-api': 'api',
};

function toProcesses({ moduleId, ...counted }: ProcessCount): Report['processes'] {
  const role = ROLES[moduleId];
  return role === undefined ? [] : [{ role, ...counted }];
}

function adviceFor(code: string): { suggestedAction?: string } {
  const definition = ERRORS[code as ErrorCode];
  return definition === undefined ? {} : { suggestedAction: definition.suggestedAction };
}
