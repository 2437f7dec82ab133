import { z } from 'zod';
import { CoordinatorHealthSchema, SessionIntegrityReportSchema } from './coordinator';
import { enumOf } from '../enum-of';
import { type MODULE_IDS, ModuleSessionInfoSchema, SessionManagerHealthSchema } from './module-sessions';
import { SessionStatus } from '../sessions/session';

/** Which kind of process does the work of a module: an engine worker, a browser worker or the API, by what each says it is. */
export const PROCESS_OF_MODULE: Readonly<Record<(typeof MODULE_IDS)[number], (typeof MODULE_IDS)[number]>> = {
  'step-processor': 'step-processor',
  'task-loop': 'step-processor',
  executor: 'executor',
  'executor-streamer': 'step-processor',
  'ai-integration': 'step-processor',
  'ai-context-manager': 'step-processor',
  'ai-schema-manager': 'step-processor',
  'ai-prompt-manager': 'step-processor',
  'frontend-api': 'frontend-api',
};

/** How the modules of one session are, with the integrity report of its links (S1.13). */
export const SessionHealthSchema = z.object({
  sessionId: z.uuid(),
  status: enumOf<SessionStatus>(SessionStatus),
  isHealthy: z.boolean(),
  modules: z.array(
    ModuleSessionInfoSchema.extend({
      isLinked: z.boolean(),
      /** True when a process runs that does the module's work, or when the session has ended. */
      isCarried: z.boolean(),
    }),
  ),
  integrity: SessionIntegrityReportSchema,
});
export type SessionHealth = z.infer<typeof SessionHealthSchema>;

export const ModulesHealthSchema = z.object({
  isHealthy: z.boolean(),
  coordinator: CoordinatorHealthSchema,
  modules: z.array(SessionManagerHealthSchema),
});
export type ModulesHealth = z.infer<typeof ModulesHealthSchema>;
