import { INSISTENT_MODEL } from './insistent-model';
import { giveOrder } from '../load/give-order';
import type { Scenario } from './scenario';

/** The step's text is all that the model goes by. */
const press = (shop: string, page: string, run: string): string =>
  `Press "Add one" at ${shop}/parts/${page}?run=${run}`;

const withModel = (executorConfig: object = {}): object => ({
  aiConfig: { model: INSISTENT_MODEL },
  executorConfig,
  maxIterations: 6,
});

/**
 * `after-act` is passed by the opening of the page and by the press, so its second passing is the press that nobody has
 * written down.
 */
export const SCENARIOS: readonly Scenario[] = [
  {
    // A press that worked, and was answered by a redirect to an origin that is not allowed, is done.
    name: 'blocked-redirect',
    faults: ['kill@after-outcome:2', 'kill@after-act:2', 'kill@before-intent:2'],
    request: (shop, run) => ({
      steps: [press(shop, 'leaving', run)],
      config: withModel({ allowedOrigins: [new URL(shop).origin], allowPrivateAddresses: true }),
    }),
  },
  {
    // The model answers an unknown press by pressing Enter on the same button: a person is asked first.
    name: 'another-way',
    faults: ['kill@after-act:2'],
    request: (shop, run) => ({ steps: [press(shop, 'counter', run)], config: withModel() }),
  },
  {
    // The page keeps its events from all other listeners: that proves nothing about the press.
    name: 'hidden-events',
    faults: ['kill@after-act:2', 'kill@after-intent:2'],
    request: (shop, run) => ({ steps: [press(shop, 'hidden', run)], config: withModel() }),
  },
  {
    // A step is added, and added again under its key: whoever dies between, it is pressed once.
    name: 'repeated-order',
    faults: ['kill@after-order:1', 'kill@before-settle:1'],
    request: (shop) => ({
      steps: [{ instruction: `Open ${shop}/`, aiConfig: { model: 'rules' } }],
      config: { ...withModel(), agent: { stayOpen: true } },
    }),
    async meanwhile(client, sessionId, run) {
      const body = { steps: [press(client.shop, 'counter', run)] };
      const added = { path: 'steps', key: `${run}/steps`, body };
      await giveOrder(client, sessionId, added);
      await giveOrder(client, sessionId, added);
      await giveOrder(client, sessionId, { path: 'close', key: `${run}/close` });
    },
  },
];
