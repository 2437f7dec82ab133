import { z } from 'zod';
import { ResolveBudgetRequestSchema } from '../../contracts/models/budget';
import { SessionIntegrityReportSchema } from '../../contracts/modules/coordinator';
import { SessionManagerHealthSchema } from '../../contracts/modules/module-sessions';
import { ApprovalSchema, PendingQuestionSchema } from '../../contracts/approvals/approval';
import { APIErrorSchema, APIMetadataSchema, PaginationSchema } from '../../contracts/api';
import { CommandResponseSchema, ExecutorCommandSchema } from '../../contracts/commands/commands';
import { StartConfigSchema } from '../../contracts/sessions/config';
import { StandardErrorSchema } from '../../contracts/errors/standard-error';
import { StreamEventDataSchema, StreamEventSchema } from '../../contracts/events/stream-event';
import { ExecutionProgressSchema } from '../../contracts/sessions/progress';
import { ScreenshotInfoSchema, VariableInfoSchema } from '../../contracts/sessions/resources';
import { WorkflowSessionSchema } from '../../contracts/sessions/session';
import { AddStepsRequestSchema, StartRequestSchema } from '../../contracts/sessions/start-request';
import { StepResultSchema } from '../../contracts/steps/step-result';
import { ResolveUnknownRequestSchema, UnknownOutcomeSchema } from '../../contracts/approvals/unknown-outcome';

/** Schemas that the OpenAPI document shows under their names, wherever they occur. */
const NAMED: Record<string, z.ZodType> = {
  StartRequest: StartRequestSchema,
  AddStepsRequest: AddStepsRequestSchema,
  ResolveUnknownRequest: ResolveUnknownRequestSchema,
  ResolveBudgetRequest: ResolveBudgetRequestSchema,
  UnknownOutcome: UnknownOutcomeSchema,
  Approval: ApprovalSchema,
  PendingQuestion: PendingQuestionSchema,
  WorkflowConfig: StartConfigSchema,
  WorkflowSession: WorkflowSessionSchema,
  ExecutionProgress: ExecutionProgressSchema,
  StepResult: StepResultSchema,
  ExecutorCommand: ExecutorCommandSchema,
  CommandResponse: CommandResponseSchema,
  StreamEvent: StreamEventSchema,
  StreamEventData: StreamEventDataSchema,
  ScreenshotInfo: ScreenshotInfoSchema,
  VariableInfo: VariableInfoSchema,
  SessionIntegrityReport: SessionIntegrityReportSchema,
  SessionManagerHealth: SessionManagerHealthSchema,
  StandardError: StandardErrorSchema,
  APIError: APIErrorSchema,
  APIMetadata: APIMetadataSchema,
  Pagination: PaginationSchema,
};

const addressOf = (name: string): string => `#/components/schemas/${name}`;

/**
 * Describes the named schemas by zod, which supports recursive schemas (StandardError), and registers a reference to each
 * for the OpenAPI generator, which does not.
 */
export function describeNamedSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: addressOf,
    metadata: registry,
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
    },
  });
  for (const [id, schema] of Object.entries(NAMED)) {
    z.globalRegistry.add(schema, { type: 'object', $ref: addressOf(id) });
  }
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _schema, $id: _id, id: _name, ...described }]) => [id, described]),
  );
}
