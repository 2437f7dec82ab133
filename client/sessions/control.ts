import { ResolveBudgetRequestSchema } from '../../contracts/models/budget';
import { parseSteps } from '../../contracts/sessions/start-request';
import { ResolveUnknownRequestSchema } from '../../contracts/approvals/unknown-outcome';
import { sizeProblem } from '../../contracts/sessions/size-limits';
import type { Store } from '../../store/store';
import type { OrderControl } from '../orders/orders';
import { ClientError, type Sessions } from '../port';
import { invalid } from './invalid';
import { assertPairedBrowser } from './paired-browser';
import { issuesOf } from '../../contracts/errors/issues';

export type Control = Pick<Sessions, 'pause' | 'resume' | 'cancel' | 'addSteps' | 'resolveUnknown' | 'resolveBudget'>;

/** The orders that every session takes. */
export function createControl({ store, giveOrder }: { store: Store } & Pick<OrderControl, 'giveOrder'>): Control {
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
      return await giveOrder(name, { kind: 'resolve-budget', request: parsed.data }, options);
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
            if (parsed.kind === 'invalid') throw invalid('The steps can not be added', parsed.issues);
            if (parsed.steps.some(({ task }) => task !== undefined)) await assertPairedBrowser(store, config.agent);
            return parsed.inputs;
          },
        },
        options,
      ),
  };
}
