import { parseInstruction } from '../../../../../rules/language/parse-instruction';
import { targetsOf, type Intent } from '../../../../../rules/language/intent';

/** An instruction as its intents, with each target in the words that were said. */
function read(instruction: string): unknown[] {
  const parsed = parseInstruction(instruction);
  if (parsed.kind === 'unknown') throw new Error(`not understood: ${parsed.clause}`);
  return parsed.actions.map(({ intent }) => describeIntent(intent));
}

function describeIntent(intent: Intent): unknown {
  return JSON.parse(
    JSON.stringify(intent, (key, value) => (key === 'button' ? undefined : value?.readings ? value.said : value)),
  );
}

const ACCEPTED: [instruction: string, ...intents: Record<string, unknown>[]][] = [
  // addresses
  ['Open https://shop.example.com/login', { kind: 'open', url: 'https://shop.example.com/login' }],
  ['go to example.com.', { kind: 'open', url: 'https://example.com' }],
  ['visit localhost:3000/cart', { kind: 'open', url: 'http://localhost:3000/cart' }],
  ['navigate to 127.0.0.1:8080', { kind: 'open', url: 'http://127.0.0.1:8080' }],
  ['browse to "https://a.test/x?y=1,2;3&z"', { kind: 'open', url: 'https://a.test/x?y=1,2;3&z' }],
  ['open the page https://a.test/x-and-y', { kind: 'open', url: 'https://a.test/x-and-y' }],
  [
    'Open https://a.test/multi-select/three-dots?of=multi-select#save',
    { kind: 'open', url: 'https://a.test/multi-select/three-dots?of=multi-select#save' },
  ],
  ['Open ${shop}/login', { kind: 'open', url: '${shop}/login' }],
  ['go to /cart', { kind: 'open', url: '/cart' }],
  ['open about:blank', { kind: 'open', url: 'about:blank' }],
  ['reload the page', { kind: 'reload' }],
  // clicks
  ['open the Trail Shoe', { kind: 'click', target: 'Trail Shoe' }],
  ['go to the cart', { kind: 'click', target: 'cart' }],
  ['Click on the “Sign in” button!', { kind: 'click', target: '“Sign in” button' }],
  ["click 'Sign in'", { kind: 'click', target: "'Sign in'" }],
  ['click «Sign in»', { kind: 'click', target: '«Sign in»' }],
  ['click „Sign in“', { kind: 'click', target: '„Sign in“' }],
  ['click ‘Sign in’', { kind: 'click', target: '‘Sign in’' }],
  ['click `Sign in`', { kind: 'click', target: '`Sign in`' }],
  ['please CLICK Save, please', { kind: 'click', target: 'Save' }],
  ['now tap Terms and Conditions', { kind: 'click', target: 'Terms and Conditions' }],
  ['follow the link Cart', { kind: 'click', target: 'link Cart' }],
  ['press the "Buy now" button', { kind: 'click', target: '"Buy now" button' }],
  ['push Save', { kind: 'click', target: 'Save' }],
  ['hit Continue', { kind: 'click', target: 'Continue' }],
  ['click the Delete button next to Trail Shoe', { kind: 'click', target: 'Delete button next to Trail Shoe' }],
  ['click "Save and open"', { kind: 'click', target: '"Save and open"' }],
  ['click Check out', { kind: 'click', target: 'Check out' }],
  ['zoom out', { kind: 'click', target: 'zoom out' }],
  // keys
  ['press Enter', { kind: 'press', key: 'Enter' }],
  ['press the key Enter', { kind: 'press', key: 'Enter' }],
  ['press Ctrl+A', { kind: 'press', key: 'Control+A' }],
  ['press ctrl + shift + z', { kind: 'press', key: 'Control+Shift+Z' }],
  ['hit the Escape key', { kind: 'press', key: 'Escape' }],
  ['press arrow down', { kind: 'press', key: 'ArrowDown' }],
  ['press F5', { kind: 'press', key: 'F5' }],
  ['press Enter in the search field', { kind: 'press', key: 'Enter', target: 'search field' }],
  ['press Delete', { kind: 'press', key: 'Delete', orClick: 'Delete' }],
  ['press the Delete key', { kind: 'press', key: 'Delete' }],
  // typing
  ['type "ada" into Username', { kind: 'type', target: 'Username', text: 'ada' }],
  ['Enter "ada@a.test" in the Email field', { kind: 'type', target: 'Email field', text: 'ada@a.test' }],
  ['type ada into Username', { kind: 'type', target: 'Username', text: 'ada' }],
  ['fill in Full name with Ada Lovelace', { kind: 'type', target: 'Full name', text: 'Ada Lovelace' }],
  ['fill "Full name" with "Ada"', { kind: 'type', target: '"Full name"', text: 'Ada' }],
  ['write "Hello, and then bye" to Notes', { kind: 'type', target: 'Notes', text: 'Hello, and then bye' }],
  ['put 3 in Quantity', { kind: 'type', target: 'Quantity', text: '3' }],
  ['input "x" into the second Email field', { kind: 'type', target: 'second Email field', text: 'x' }],
  ['enter Email: "ada@a.test"', { kind: 'type', target: 'Email', text: 'ada@a.test' }],
  ['type "" into Name', { kind: 'type', target: 'Name', text: '' }],
  ["type \"don't; click 'x'\" into Name", { kind: 'type', target: 'Name', text: "don't; click 'x'" }],
  ['enter ${user} into Username', { kind: 'type', target: 'Username', text: '${user}' }],
  ['type "ada"', { kind: 'type', text: 'ada' }],
  ['set Quantity to "3"', { kind: 'set', target: 'Quantity', value: '3' }],
  ['clear the Notes field', { kind: 'type', target: 'Notes field', text: '' }],
  ['search for "trail shoe"', { kind: 'search', text: 'trail shoe' }],
  ['search for shoes in the search box', { kind: 'search', text: 'shoes', target: 'search box' }],
  // choosing
  ['choose "M" in Size', { kind: 'choose', alternatives: [{ option: 'M', group: 'Size' }], whole: '"M" in Size' }],
  [
    'select Large from the Size dropdown',
    {
      kind: 'choose',
      alternatives: [{ option: 'Large', group: 'Size dropdown' }],
      whole: 'Large from the Size dropdown',
    },
  ],
  [
    'pick "Red" as the Colour',
    { kind: 'choose', alternatives: [{ option: 'Red', group: 'Colour' }], whole: '"Red" as the Colour' },
  ],
  ['choose Express shipping', { kind: 'choose', alternatives: [], whole: 'Express shipping' }],
  ['choose the Express option', { kind: 'choose', alternatives: [], whole: 'Express option' }],
  // boxes
  ['check "Express"', { kind: 'check', target: '"Express"', checked: true }],
  ['check I have read the terms', { kind: 'check', target: 'I have read the terms', checked: true }],
  ['tick the Terms checkbox', { kind: 'check', target: 'Terms checkbox', checked: true }],
  ['uncheck Newsletter', { kind: 'check', target: 'Newsletter', checked: false }],
  ['untick "Newsletter"', { kind: 'check', target: '"Newsletter"', checked: false }],
  ['turn on Dark mode', { kind: 'check', target: 'Dark mode', checked: true }],
  ['turn the Dark mode switch off', { kind: 'check', target: 'Dark mode switch', checked: false }],
  // variables
  ['save the Order number as orderNumber', { kind: 'save', target: 'Order number', variableName: 'orderNumber' }],
  ['remember the Total in variable total', { kind: 'save', target: 'Total', variableName: 'total' }],
  ['read the value of Total into "total"', { kind: 'save', target: 'Total', variableName: 'total' }],
  ['store the Price of Trail Shoe as ${price}', { kind: 'save', target: 'Price of Trail Shoe', variableName: 'price' }],
  // expectations
  ['expect "Thank you"', { kind: 'expect', text: 'Thank you' }],
  ['the user should see "Thank you"', { kind: 'expect', text: 'Thank you' }],
  ['expect Your cart is empty', { kind: 'expect', text: 'Your cart is empty' }],
  ['check that the page shows "Welcome, Ada"', { kind: 'expect', text: 'Welcome, Ada' }],
  ['see that "Sign out" is visible', { kind: 'expect', text: 'Sign out' }],
  [
    'expect the Sign in button',
    { kind: 'expect', text: 'Sign in', roles: ['button', 'link', 'menuitem', 'tab', 'generic'] },
  ],
  ['ensure "Sign out" is not visible', { kind: 'expect', text: 'Sign out', absent: true }],
  ['make sure there is no "Error"', { kind: 'expect', text: 'Error', absent: true }],
  ['expect not to see "Error"', { kind: 'expect', text: 'Error', absent: true }],
  ['verify that the URL contains /cart', { kind: 'expect', url: '/cart' }],
  ['check the address is "https://a.test/"', { kind: 'expect', url: 'https://a.test/' }],
  ['assert the title is "Cart"', { kind: 'expect', title: 'Cart' }],
  ['expect the page title to contain Cart', { kind: 'expect', title: 'Cart' }],
  ['check that the URL does not contain /login', { kind: 'expect', url: '/login', absent: true }],
  ['check that the Total shows 42', { kind: 'expect-element', target: 'Total', text: '42' }],
  ['search for "KL-2" in the orders list', { kind: 'search', text: 'KL-2', target: 'orders list' }],
  ['check that the Total comes to 42', { kind: 'expect-element', target: 'Total', text: '42' }],
  ['Read the Total and save it as sum', { kind: 'save', target: 'Total', variableName: 'sum' }],
  ['expect the Order number to contain SF-', { kind: 'expect-element', target: 'Order number', text: 'SF-' }],
  [
    'confirm that the Total is 42',
    { kind: 'expect-element', target: 'Total', text: '42', orText: 'Total is 42', ofEntry: true },
  ],
  [
    'verify the page contains "Welcome" and does not contain "Error"',
    { kind: 'expect', text: 'Welcome' },
    { kind: 'expect', text: 'Error', absent: true },
  ],
  ['enter the password "secret"', { kind: 'type', target: 'password', text: 'secret' }],
  ['fill out Name: Ada', { kind: 'type', target: 'Name', text: 'Ada' }],
  ['wait until the URL contains /cart', { kind: 'expect', url: '/cart' }],
  ['wait a moment', { kind: 'wait', seconds: 1 }],
  // waiting and moving
  ['wait for "Results"', { kind: 'wait', text: 'Results' }],
  ['wait until the Results heading appears', { kind: 'wait', text: 'Results' }],
  ['wait until "Loading" disappears', { kind: 'wait', text: 'Loading', hidden: true }],
  ['wait for Loading to be gone', { kind: 'wait', text: 'Loading', hidden: true }],
  ['wait 2 seconds', { kind: 'wait', seconds: 2 }],
  ['wait for 500 ms', { kind: 'wait', seconds: 0.5 }],
  ['wait up to 10 seconds for "Done"', { kind: 'wait', text: 'Done', seconds: 10 }],
  ['go back', { kind: 'back' }],
  ['back', { kind: 'back' }],
  ['scroll down', { kind: 'scroll', to: 'down' }],
  ['scroll down until "Item 40" is shown', { kind: 'scroll-until', text: 'Item 40' }],
  ['scroll the page until you see "Imprint"', { kind: 'scroll-until', text: 'Imprint' }],
  ['scroll the Results list until "Item 40" shows', { kind: 'scroll-until', text: 'Item 40', target: 'Results list' }],
  ['scroll down in the feed until "Old news" appears', { kind: 'scroll-until', text: 'Old news', target: 'feed' }],
  // the browser around the page
  ['print the page to PDF as "invoice.pdf"', { kind: 'pdf', name: 'invoice.pdf' }],
  ['Save this page as a PDF.', { kind: 'pdf', name: 'page.pdf' }],
  ['set the viewport to 390 x 844', { kind: 'viewport', width: 390, height: 844 }],
  ['resize the browser window to 1280 by 720 pixels', { kind: 'viewport', width: 1280, height: 720 }],
  ['set the location to 48.2082, 16.3738', { kind: 'geolocation', latitude: 48.2082, longitude: 16.3738 }],
  [
    'set the geolocation to latitude -33.87 and longitude 151.21',
    { kind: 'geolocation', latitude: -33.87, longitude: 151.21 },
  ],
  ['grant the geolocation permission', { kind: 'permissions', permissions: ['geolocation'] }],
  [
    'allow the site to use the camera and the microphone',
    { kind: 'permissions', permissions: ['camera', 'microphone'] },
  ],
  ['give the page permission for notifications', { kind: 'permissions', permissions: ['notifications'] }],
  ['let the site use the clipboard', { kind: 'permissions', permissions: ['clipboard-read', 'clipboard-write'] }],
  ['take away all permissions', { kind: 'permissions', permissions: [] }],
  [
    'sign in by HTTP at https://intranet.example.com/start as "ada" with the secret ${intranet}',
    { kind: 'http-credentials', origin: 'https://intranet.example.com', username: 'ada', password: '${intranet}' },
  ],
  ['click Allow notifications', { kind: 'click', target: 'Allow notifications' }],
  // files
  ['drop "cat.png" onto the Photos area', { kind: 'drop-files', files: ['cat.png'], target: 'Photos area' }],
  ['drag the file cat.png to the upload area', { kind: 'drop-files', files: ['cat.png'], target: 'upload area' }],
  ['drag Card 1 to Done', { kind: 'drag', target: 'Card 1', onto: 'Done' }],
  ['scroll to the bottom of the page', { kind: 'scroll', to: 'bottom' }],
  ['scroll to the Terms checkbox', { kind: 'scroll', to: 'element', target: 'Terms checkbox' }],
  ['switch to the new tab', { kind: 'tab', tab: 'last' }],
  ['go to the second tab', { kind: 'tab', tab: '2' }],
  ['switch to tab "Terms"', { kind: 'tab', tab: 'Terms', orClick: '"Terms" tab' }],
  ['get the DOM', { kind: 'dom' }],
  ['read the page', { kind: 'dom' }],
  // several at once
  [
    'Type "ada" into Username and "secret" into Password, then press Enter',
    { kind: 'type', target: 'Username', text: 'ada' },
    { kind: 'type', target: 'Password', text: 'secret' },
    { kind: 'press', key: 'Enter' },
  ],
  [
    'fill Username with "ada" and Password with "secret"; click Sign in',
    { kind: 'type', target: 'Username', text: 'ada' },
    { kind: 'type', target: 'Password', text: 'secret' },
    { kind: 'click', target: 'Sign in' },
  ],
  ['see "A", "B" and "C"', { kind: 'expect', text: 'A' }, { kind: 'expect', text: 'B' }, { kind: 'expect', text: 'C' }],
  [
    'verify the URL contains /cart and the title is "Cart"',
    { kind: 'expect', url: '/cart' },
    { kind: 'expect', title: 'Cart' },
  ],
  [
    'type "x" into Email and clear it',
    { kind: 'type', target: 'Email', text: 'x' },
    { kind: 'type', target: 'Email', text: '' },
  ],
  ['1. Open a.test\n2. Click Save', { kind: 'open', url: 'https://a.test' }, { kind: 'click', target: 'Save' }],
  [
    'First, open a.test. Finally, click Save.',
    { kind: 'open', url: 'https://a.test' },
    { kind: 'click', target: 'Save' },
  ],
  ['Click Save. Then go back.', { kind: 'click', target: 'Save' }, { kind: 'back' }],
];

const REFUSED: [instruction: string, clause: string][] = [
  ['buy the cheapest shoe', 'buy the cheapest shoe'],
  ['open a.test and then buy a shoe', 'buy a shoe'],
  ['check out', 'check out'],
  ['fill out the form', 'fill out the form'],
  ['click it', 'click it'],
  ['expect "a" or "b"', 'expect "a" or "b"'],
  ['save the Total as order total', 'save the Total as order total'],

  ['click every link', 'click every link'],
  ['click Next until the end', 'click Next until the end'],
  ['save the current URL as url', 'save the current URL as url'],
  ['verify we are on the cart page', 'verify we are on the cart page'],
  ['open file:///etc/passwd', 'open file:///etc/passwd'],

  ['if it rains, click Save', 'if it rains, click Save'],
  ['click Save, otherwise click Cancel', 'click Save, otherwise click Cancel'],
  ['delete a file', 'delete a file'],
  ['close the account with "x"', 'close the account with "x"'],
  ['', ''],
];

describe('the grammar of the rules model', () => {
  test.each(ACCEPTED)('parses: %s', (instruction, ...intents) => {
    expect(read(instruction)).toEqual(intents);
  });

  test.each(REFUSED)('refuses: %s', (instruction, clause) => {
    expect(parseInstruction(instruction)).toMatchObject({ kind: 'unknown', clause });
  });

  test.each([
    ['click Delete and accept the dialog', { kind: 'dialog', accept: true }],
    ['click Delete, then dismiss the confirmation', { kind: 'dialog', accept: false }],
    ['click Delete and answer the prompt with "yes, do"', { kind: 'dialog', accept: true, promptText: 'yes, do' }],
    ['click Delete and type "Ada" into the prompt dialog', { kind: 'dialog', accept: true, promptText: 'Ada' }],
  ])('puts the answer to a dialog before the click that opens it: %s', (instruction, answer) => {
    expect(read(instruction)).toEqual([answer, { kind: 'click', target: 'Delete' }]);
  });

  test.each([
    ['click "Next" until "End" is shown', undefined],
    ['click "Next" at most 5 times until "End" is shown', 5],
    ['click "Next" until "End" is shown, at most three times', 3],
    ['repeat "Load more" up to 12 times until it disappears', 12],
    ['keep clicking "Next" until you see "at most 2 times"', undefined],
  ])('knows how often a repetition is done at most: %s', (instruction, most) => {
    const parsed = parseInstruction(instruction);
    const [action, ...others] = parsed.kind === 'unknown' ? [] : parsed.actions;
    expect(others).toEqual([]);
    expect(action).toMatchObject({ intent: { kind: 'click' }, until: expect.anything() });
    expect(action!.most).toBe(most);
  });

  test('refuses a repetition that is done more often than twenty times', () => {
    expect(parseInstruction('click "Next" at most 40 times until "End" is shown').kind).toBe('unknown');
  });

  test('says why a condition and a bad variable name are not understood', () => {
    expect(parseInstruction('if it rains, click Save')).toMatchObject({ hint: expect.stringContaining('condition') });
    expect(parseInstruction('save X as order total')).toMatchObject({ hint: expect.stringContaining('one word') });
  });

  test('knows the targets of every intent that has some', () => {
    const parsed = parseInstruction('click A, press Enter in B and choose "x" in C');
    const targets = parsed.kind === 'actions' ? parsed.actions.flatMap(({ intent }) => targetsOf(intent)) : [];
    expect(targets.map(({ said }) => said)).toEqual(['A', 'B', 'C', '"x" in C']);
  });
});
