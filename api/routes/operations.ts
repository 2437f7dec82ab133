import { OperationsQuerySchema, OperationsSchema } from '../../contracts/modules/operations';
import type { ApiParts } from '../http/context';
import { defineRoute } from '../http/define-route';
import { respond } from '../http/envelope';
import { dataOf, errorResponses } from '../openapi/responses';

export function operationsRoutes({ operations }: ApiParts) {
  return [
    defineRoute(
      {
        method: 'get',
        path: '/v1/operations',
        operationId: 'showOperations',
        tags: ['Service'],
        summary: 'What runs and waits, what it costs, what fails, and what to do',
        description:
          'Hosts, workers, queue, models, limits and retention now; sessions, cost and failures over a day by ' +
          'hours, or over a week or month by days. `troubles` names what is wrong.',
        request: { query: OperationsQuerySchema },
        responses: { 200: dataOf(OperationsSchema, 'The figures'), ...errorResponses(400, 503) },
      },
      async (c) => {
        const figures = await operations.read(c.req.valid('query'));
        c.header('Cache-Control', 'no-store');
        return respond(c, figures, 200);
      },
    ),
  ] as const;
}
