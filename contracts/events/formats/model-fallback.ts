import { AgentEventType } from '../../agents/agent-event';
import type { LogRecord } from '../log';

/** S2.A5: the change of a record from one model to the next, where it is one. */
export function fallbackOf({ data: { warning } }: LogRecord): { from: string; to: string; reason: string } | undefined {
  const details = warning?.details;
  if (details?.['kind'] !== AgentEventType.ModelFallback) return undefined;
  return { from: String(details['from']), to: String(details['to']), reason: warning!.message };
}
