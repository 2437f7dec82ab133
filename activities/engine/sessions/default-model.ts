import { DEFAULT_AI_CONNECTION } from '../../../contracts/sessions/config';
import { modelsOf, type Connections } from '../../../contracts/sessions/model-connections';
import type { SessionPlan } from '../../../contracts/sessions/start-request';
import type { OpenSessionOutput } from '../../signatures/engine-activities';

/**
 * Who leads a session whose request names no model: those of its connection, else SUREFOOT_MODEL of the worker. The
 * connections of its steps have theirs.
 */
export function modelsWhereNoneIsNamed(
  plan: SessionPlan | undefined,
  ofWorker: string,
  connections: Connections,
): Pick<OpenSessionOutput, 'defaultModel'> & { connectionModels: Record<string, string> } {
  const connection = connections[plan?.config.ai.connectionId ?? DEFAULT_AI_CONNECTION];
  return {
    defaultModel: connection === undefined ? ofWorker : modelsOf(connection),
    connectionModels: {
      ...Object.fromEntries(Object.entries(connections).map(([name, each]) => [name, modelsOf(each)])),
      [DEFAULT_AI_CONNECTION]: ofWorker,
    },
  };
}
