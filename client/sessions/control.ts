import { raiseBudget, ResolveBudgetRequestSchema } from '../../contracts/models/budget';
import { budgetIssues } from '../../contracts/models/budget-floor';
import { connectionIssues, type Connections } from '../../contracts/models/connections';
import { parseSteps } from '../../contracts/sessions/start-request';
import { schemaIssues } from '../../runtime/schemas/given-schemas';
import { ResolveUnknownRequestSchema } from '../../contracts/approvals/unknown-outcome';
import { sizeProblem } from '../../contracts/sessions/size-limits';
import { stepIssues, type Floors } from '../../runtime/floors/floor-issues';
import type { SessionRow } from '../../store/sessions/sessions';
import type { Store } from '../../store/store';
import type { OrderControl } from '../orders/orders';
import { ClientError, type Sessions } from '../port';
import { invalid, refuseBelowFloor } from './invalid';
import { assertPairedBrowser } from './paired-browser';
import { issuesOf } from '../../contracts/errors/issues';

export type Control = Pick<Sessions, 'pause' | 'resume' | 'cancel' | 'addSteps' | 'resolveUnknown' | 'resolveBudget'>;

interface ControlParts extends Pick<OrderControl, 'giveOrder'> {
  store: Store;
  floors?: Floors | undefined;
  connections?: Connections | undefined;
}

/** The orders that every session takes. */
export function createControl({ store, giveOrder, floors, connections = {} }: ControlParts): Control {
  return {
    pause: (name, options) => giveOrder(name, { kind: 'pause' }, options),
    resume: (name, options) => giveOrder(name, { kind: 'resume' }, options),
    cancel: (name, options) => giveOrder(name, { kind: 'cancel' }, options),
    async resolveUnknown(name, answer, options) {
      const parsed = ResolveUnknownRequestSchema.safeParse(answer);
      if (!parsed.success) throw invalid('The answer is not valid', issuesOf(parsed.error));
      return await giveOrder(name, { kind: 'resolve-unknown', request: parsed.data }, options);
    },
    async resolveBudget(name, decision, options) {
      const parsed = ResolveBudgetRequestSchema.safeParse(decision);
      if (!parsed.success) throw invalid('The decision is not valid', issuesOf(parsed.error));
      const request = parsed.data;
      const prepare = ({ budget }: SessionRow): Promise<unknown> => {
        const most = floors?.floors.budget;
        if (request.decision === 'raise' && budget !== null && most !== undefined)
          refuseBelowFloor('The budget can not be raised', budgetIssues(raiseBudget(budget, request), most));
        return Promise.resolve(request);
      };
      return await giveOrder(name, { kind: 'resolve-budget', request, prepare }, options);
    },
    addSteps: (name, inputs, options) =>
      giveOrder(
        name,
        {
          kind: 'addSteps',
          request: inputs,
          async prepare({ plan: { config } }) {
            const problem = sizeProblem('The addition', inputs);
            if (problem !== undefined) throw new ClientError('too-large', 'SP001', problem);
            const parsed = parseSteps(inputs, config);
            const what = 'The steps can not be added';
            if (parsed.kind === 'invalid') throw invalid(what, parsed.issues);
            const issues = [
              ...(await schemaIssues({ steps: parsed.inputs })),
              ...connectionIssues({ config, steps: parsed.steps }, connections),
            ];
            if (issues.length > 0) throw invalid(what, issues);
            if (floors !== undefined) refuseBelowFloor(what, stepIssues(parsed.steps, floors.floors));
            if (parsed.steps.some(({ task }) => task !== undefined)) await assertPairedBrowser(store, config.agent);
            return parsed.inputs;
          },
        },
        options,
      ),
  };
}
