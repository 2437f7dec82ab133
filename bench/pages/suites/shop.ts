import { startShop } from '../../../examples/shop/serve';
import type { Scenario, Suite } from '../scenario';
import { scenario } from './plain';

const SIGN_IN = 'Type "ada" into Username, type "lovelace" into Password and click "Sign in"';
const SEARCH = 'Type "trail" into the Search field and click the "Search" button';
const TO_CART = [
  'Click the "Trail Shoe" link',
  'Select "M" from Size and click "Add to cart"',
  'Expect "Added to cart"',
];
const FIELDS =
  'Type "Ada Lovelace" into Full name; type "12 Engine Street, London" into Address; type "4242 4242 4242 4242" into Card number';

const SCENARIOS: readonly Scenario[] = [
  scenario(
    'order',
    'login',
    [
      SIGN_IN,
      SEARCH,
      ...TO_CART,
      'Click Checkout',
      FIELDS,
      'Check "Express", check "I accept the terms" and click "Place order"',
    ],
    { orders: ['Trail Shoe M'] },
  ),
  scenario('count', 'parts/counter', ['Click "Add one"'], { presses: 1 }),
  scenario('count-twice', 'parts/counter', ['Click "Add one"', 'Click "Add one"'], { presses: 2 }),
];

const PATHS = [
  'login',
  ...['form', 'dialogs', 'iframe', 'shadow', 'equal-names', 'keys', 'long'].map((part) => `parts/${part}`),
];

/** The shop of the demo; its order book and its counter judge. */
export async function shop(): Promise<Suite> {
  const running = await startShop({});
  return {
    name: 'shop',
    serve: () => undefined,
    scenarios: () => [...SCENARIOS],
    paths: () => PATHS,
    site: {
      address: (run, _suite, path) => `${running.url}/${path}?run=${run}`,
      truthOf: (run) => ({
        orders: running.orders.list({ run }).flatMap(({ items }) => items.map(({ name, size }) => `${name} ${size}`)),
        presses: running.counter.commits(run).length,
      }),
      close: () => running.close(),
    },
  };
}
