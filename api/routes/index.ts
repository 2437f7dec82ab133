import type { ApiApp, ApiParts } from '../http/context';
import { approvalRoutes } from './approvals';
import { browserSessionRoutes } from './browser-sessions';
import { controlMessageRoutes, type ControlOperationId } from './control-messages';
import { effectRoutes } from './effects';
import { profileRoutes } from './profiles';
import { batchRoutes } from './batches';
import { scheduleRoutes } from './schedules';
import { eventRoutes } from './session-events';
import { fileRoutes } from './files';
import { healthRoutes } from './health';
import { liveViewRoutes } from './live-view';
import { operationsRoutes } from './operations';
import { recipeRoutes } from './recipes';
import { resultRoutes } from './results';
import { signInRoutes } from './sign-in';
import { sentMessageRoutes } from './sent-messages';
import { takeoverRoutes } from './takeover';
import { sessionRoutes } from './sessions';
import { startSessionRoutes } from './start-session';

/** The routes of the API besides those of the control messages, each with the operation that names its method in the HTTP client. */
export function createRoutes(parts: ApiParts) {
  return [
    ...startSessionRoutes(parts),
    ...sessionRoutes(parts),
    ...sentMessageRoutes(parts),
    ...approvalRoutes(parts),
    ...eventRoutes(parts),
    ...resultRoutes(parts),
    ...liveViewRoutes(parts),
    ...takeoverRoutes(parts),
    ...fileRoutes(parts),
    ...recipeRoutes(parts),
    ...effectRoutes(parts),
    ...profileRoutes(parts),
    ...scheduleRoutes(parts),
    ...batchRoutes(parts),
    ...browserSessionRoutes(parts),
    ...signInRoutes(parts),
    ...healthRoutes(parts),
    ...operationsRoutes(parts),
  ] as const;
}

/** Adds all routes to an app. The HTTP client derives its types from the return type, and from the control messages. */
export function addRoutes(app: ApiApp, parts: ApiParts) {
  app.openapiRoutes(controlMessageRoutes(parts));
  return app.openapiRoutes(createRoutes(parts));
}

export type OperationId = ReturnType<typeof createRoutes>[number]['route']['operationId'] | ControlOperationId;
