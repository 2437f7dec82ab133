import { MODULE_IDS } from '../../contracts/modules/module-sessions';
import { statusChange, SessionStatus } from '../../contracts/sessions/session';
import type { ModuleOverride } from '../../store/sessions/module-overrides';
import { moduleSessionIdOf } from '../../store/sessions/session-id';
import type { SessionRow } from '../../store/sessions/sessions';

/** The module that has a session only where there is a stream (S1.A29). */
export const STREAMER = 'executor-streamer';

export function hasStream({ plan }: SessionRow): boolean {
  return plan?.config?.enableStreaming !== false;
}

/** True for a session that was destroyed or has expired: its module sessions are gone with it. */
export function isTornDown({ status, isExpired }: SessionRow): boolean {
  return status === SessionStatus.CLEANUP || isExpired;
}

/** Derives the module sessions (S1.4) of a workflow session from its row. They are checked by whoever reads them. */
export function deriveModules(row: SessionRow): { moduleId: string }[] {
  if (isTornDown(row)) return [];
  const { sessionId, createdAt, lastActivity } = row;
  return MODULE_IDS.flatMap((moduleId) => {
    const override = overrideOf(row, moduleId);
    const exists = moduleId !== STREAMER || hasStream(row) || override.createdAt !== undefined;
    if (!exists || override.isDestroyed === true) return [];
    const own = dateOf(override.lastActivity);
    return [
      {
        moduleId,
        sessionId: derivedIdOf(row, moduleId),
        linkedWorkflowSessionId: sessionId,
        status: statusOf(row, override),
        createdAt: dateOf(override.createdAt) ?? createdAt,
        lastActivity: own !== undefined && own > lastActivity ? own : lastActivity,
        metadata: override.metadata ?? {},
      },
    ];
  });
}

/** Derives the links of a workflow session (S1.R6): to each module session that it has, unless they were changed. */
export function deriveLinks(row: SessionRow): Record<string, string> {
  if (isTornDown(row)) return {};
  const own = MODULE_IDS.filter((moduleId) => moduleId !== STREAMER || hasStream(row));
  const ids = new Set([...own, ...Object.keys(row.moduleOverrides)]);
  return Object.fromEntries(
    [...ids].flatMap((moduleId) => {
      const { link = own.some((id) => id === moduleId) ? derivedIdOf(row, moduleId) : null } = overrideOf(
        row,
        moduleId,
      );
      return link === null ? [] : [[moduleId, link]];
    }),
  );
}

export function overrideOf({ moduleOverrides }: SessionRow, moduleId: string): ModuleOverride {
  return moduleOverrides[moduleId] ?? {};
}

/** The id that a module's session has by itself; those of the executor and its streamer are members of the session. */
function derivedIdOf(row: SessionRow, moduleId: string): string {
  if (moduleId === 'executor') return row.executorSessionId;
  return moduleId === STREAMER ? row.streamId : moduleSessionIdOf(row.sessionId, moduleId);
}

/** A status of its own holds until the workflow session moves on to one that may follow it (S1.A1). */
function statusOf({ status }: SessionRow, { status: set }: ModuleOverride): SessionStatus {
  if (set === undefined) return status;
  return set.workflow !== status && statusChange(set.own, status) === 'legal' ? status : set.own;
}

function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
