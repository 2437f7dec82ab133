import { INSISTENT_MODEL } from './insistent-model';
import { sendMessage } from '../load/send-message';
import { failOver } from './read-only-database';
import type { Scenario } from './scenario';
import { comeBackTooLate, KEPT_EVENTS } from './slow-reader';
import { stallChrome } from './stalled-chrome';
import { takeOverAndPress } from './takeover';

/** The step's text is all that the model goes by. */
const press = (shop: string, page: string, run: string): string =>
  `Press "Add one" at ${shop}/parts/${page}?run=${run}`;

const choose = (shop: string, run: string): string => `Choose "one" in "Add" at ${shop}/parts/choosing?run=${run}`;

/** Tasks of three bytes a character, 180 KB each: all of them together are more than Temporal lets a session carry. */
const heavyTasks = (from: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ task: `Say what is here, ${from + index}: ${'字'.repeat(60_000)}` }));

const withModel = (executorConfig: object = {}): object => ({
  aiConfig: { model: INSISTENT_MODEL },
  executorConfig,
  maxIterations: 6,
});

function checked(name: string, how: string): Scenario {
  return {
    name,
    faults: ['kill@after-act:2', 'kill@after-intent:2', 'kill@after-act:2,kill@during-look:1'],
    request: (shop, run) => ({
      steps: [
        {
          instruction: press(shop, 'hidden', run),
          check: {
            steps: [`Open ${shop}/parts/counter?run=${run}${how}`, 'Expect "Count: 1"'],
            looks: 3,
            within: '6s',
          },
        },
      ],
      config: withModel(),
    }),
  };
}

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
  // The counter shows whether the press has happened: the check of the step looks there, and nobody is asked.
  checked('checked-press', ''),
  checked('checked-late', '&late=2000'),
  // What the browser keeps of the page says nothing about the press.
  checked('checked-cached', '&late=1000&cached=60'),
  {
    // A step is added, and added again under its key: whoever dies between, it is pressed once.
    name: 'repeated-message',
    faults: ['kill@after-message:1', 'kill@before-settle:1'],
    request: (shop) => ({
      steps: [{ instruction: `Open ${shop}/`, aiConfig: { model: 'rules' } }],
      config: { ...withModel(), agent: { stayOpen: true } },
    }),
    async meanwhile(client, sessionId, run) {
      const body = { steps: [press(client.shop, 'counter', run)] };
      const added = { path: 'steps', key: `${run}/steps`, body };
      await sendMessage(client, sessionId, added);
      await sendMessage(client, sessionId, added);
      await sendMessage(client, sessionId, { path: 'close', key: `${run}/close` });
    },
  },
  {
    // Much is given, and twice as much is added, while the session goes over from run to run.
    name: 'heavy-steps',
    faults: ['kill@during-handover:1', 'kill@after-message:2', 'kill@before-settle:2'],
    request: (shop, run) => ({
      steps: [press(shop, 'counter', run), ...heavyTasks(1, 4)],
      config: { ...withModel(), agent: { stayOpen: true } },
    }),
    async meanwhile(client, sessionId, run) {
      for (const from of [5, 9])
        await sendMessage(client, sessionId, {
          path: 'steps',
          key: `${run}/${from}`,
          body: { steps: heavyTasks(from, 4) },
        });
      await sendMessage(client, sessionId, { path: 'close', key: `${run}/close` });
    },
  },
  {
    // The press lies unread in the socket of a stopped Chrome while another worker takes over; the keeper dies in its fence.
    name: 'stalled-chrome',
    faults: ['stop@after-intent:2', 'stop@after-intent:2,kill@during-fence:2'],
    request: (shop, run) => ({ steps: [press(shop, 'counter', run)], config: withModel() }),
    meanwhile: stallChrome,
  },
  {
    // To choose sends the form: it is no harmless repetition. A checkpoint that is not written is written by the next attempt.
    name: 'sending-choice',
    faults: ['kill@after-act:2', 'kill@during-checkpoint:2', 'kill@after-intent:2'],
    request: (shop, run) => ({ steps: [choose(shop, run)], config: withModel() }),
  },
  {
    // The database takes no writes for a while: nothing fails, and nothing is pressed without an intent.
    name: 'read-only-database',
    faults: ['kill@after-act:2', 'kill@before-intent:2'],
    request: (shop, run) => ({ steps: [press(shop, 'counter', run)], config: withModel() }),
    meanwhile: failOver,
  },
  {
    // A viewer reads a few events and comes back when the history of the session is cut: it hears what is gone.
    name: 'slow-reader',
    faults: ['kill@after-outcome:2', 'kill@before-intent:2'],
    request: (shop, run) => ({
      steps: [press(shop, 'counter', run)],
      config: {
        ...withModel(),
        streamConfig: { bufferSize: 1, maxHistorySize: KEPT_EVENTS, compressionEnabled: false },
      },
    }),
    meanwhile: comeBackTooLate,
  },
  {
    // A person has the browser while its worker dies: what was begun is not repeated, and what was not is done.
    name: 'takeover',
    faults: [
      'kill@after-intent:2',
      'kill@after-act:2',
      'kill@after-intent:3',
      'kill@after-act:3',
      'kill@during-checkpoint:2',
      'kill@after-intent:2,kill@during-takeover:1',
    ],
    request: (shop, run) => ({
      steps: [{ instruction: `Open ${shop}/parts/counter?run=${run}`, aiConfig: { model: 'rules' } }],
      config: { ...withModel(), agent: { stayOpen: true } },
    }),
    meanwhile: takeOverAndPress,
  },
];
