import type { AIGeneratedCommand } from '../../../contracts/commands/commands';
import { geminiAnswers } from './gemini';
import type { Heard, Play } from './server';

/** What a model can know: the text of its prompt, and nothing else. */
interface Seen {
  instruction: string;
  attempts: string;
  page: string;
  /** The step that may be begun once this one is done. */
  next: { number: number; instruction: string } | undefined;
  /** Ref of the element of this role and name. */
  ref(role: string, name: string | RegExp): string | undefined;
}

interface Thought {
  decision: 'PROCEED' | 'RETRY' | 'ABORT';
  message: string;
  analysis: string;
  commands?: AIGeneratedCommand[];
  forStep?: number;
}

/**
 * A model that shops: it reads step, attempts and page out of the prompt that it was sent and works out what to do from
 * them alone. Its steps are goals, so a step takes as many looks as its pages do.
 */
export const shops: Play = (response, heard) =>
  geminiAnswers({ text: toText(thinkAhead(read(heard))) })(response, heard);

/** Goes on with the next step as soon as the page shows that this one is done, as its prompt asks it to. */
function thinkAhead(seen: Seen): Thought {
  const thought = think(seen);
  const { next } = seen;
  if (thought.decision !== 'PROCEED' || thought.commands !== undefined || next === undefined) return thought;
  const { message, ...begun } = think({ ...seen, instruction: next.instruction, attempts: '' });
  return begun.commands === undefined
    ? thought
    : { ...begun, message: `${thought.message} ${message}`, forStep: next.number };
}

export const SHOPPING = [
  'Open ${shop}/login',
  'Sign in as ada',
  'Put the Trail Shoe in size M into the cart',
  'Check out with express shipping for Ada Lovelace, 12 Engine Street, London, with the card 4242 4242 4242 4242',
  'Save the order number as order_number',
];

/** The steps of it, in the shop that a stack serves; `config` is laid over what they need. */
export function shoppingRequest(shop: string, run: string, config: object = {}) {
  return {
    steps: [`${SHOPPING[0]!}?run=${run}`, ...SHOPPING.slice(1)],
    variables: { shop, password: { env: 'SHOP_PASSWORD' } },
    config: {
      executorConfig: { timeoutMs: 5000, screenshotsEnabled: false },
      timeouts: { retryDelayMs: 100 },
      ...config,
    },
  };
}

function read({ body }: Heard): Seen {
  const { contents } = body as { contents: { parts: { text?: string }[] }[] };
  const text = contents[0]!.parts[0]!.text!;
  const within = (what: string) => new RegExp(`<${what} (\\w+)>\\n([\\s\\S]*)\\n</${what} \\1>`).exec(text)?.[2] ?? '';
  const page = within('page');
  const elements = [...page.matchAll(/(?:- |\| |: )(\w+) "((?:[^"\\]|\\.)*)" \[ref=(\w+)\]/g)];
  const next = /^# Next step, number (\d+)\n(.*)$/m.exec(text);
  return {
    next: next === null ? undefined : { number: Number(next[1]), instruction: next[2]! },
    instruction: /^# Step \d+\n(.*)$/m.exec(text)![1]!,
    attempts: within('attempts'),
    page,
    ref: (role, name) =>
      elements.find(
        ([, eachRole, eachName]) =>
          eachRole === role && (typeof name === 'string' ? eachName === name : name.test(eachName!)),
      )?.[3],
  };
}

function think(seen: Seen): Thought {
  const { instruction } = seen;
  if (instruction.startsWith('Open ')) return open(seen);
  if (instruction.startsWith('Sign in')) return signIn(seen);
  if (instruction.startsWith('Put the')) return fillCart(seen);
  if (instruction.startsWith('Check out')) return checkOut(seen);
  if (instruction.startsWith('Save the order number')) return save(seen);
  return { decision: 'ABORT', message: `I do not know how to: ${instruction}`, analysis: 'This is no shopping.' };
}

function open({ instruction, attempts }: Seen): Thought {
  if (hasDone(attempts, 'OPEN_PAGE'))
    return { decision: 'PROCEED', message: 'The page is open.', analysis: 'This is the page of the step.' };
  return {
    decision: 'PROCEED',
    message: 'Open the page.',
    analysis: 'The step names an address.',
    commands: [{ action: 'OPEN_PAGE', parameters: { url: instruction.slice(5) } }],
  };
}

function hasDone(attempts: string, action: string): boolean {
  return new RegExp(`- ${action} .*: done`).test(attempts);
}

const click = (ref: string): AIGeneratedCommand => ({
  action: 'CLICK_ELEMENT',
  parameters: { selector: `ref=${ref}` },
});
const type = (ref: string, text: string): AIGeneratedCommand => ({
  action: 'INPUT_TEXT',
  parameters: { selector: `ref=${ref}`, text },
});

const lost = ({ page }: Seen): Thought => ({
  decision: 'ABORT',
  message: `I do not find my way on this page:\n${page}`,
  analysis: 'Nothing here leads on.',
});

function signIn(seen: Seen): Thought {
  if (seen.page.includes('Sign out'))
    return { decision: 'PROCEED', message: 'Ada is signed in.', analysis: 'The page offers to sign out.' };
  const [user, password, button] = [
    seen.ref('textbox', 'Username'),
    seen.ref('textbox', 'Password'),
    seen.ref('button', 'Sign in'),
  ];
  if (user === undefined || password === undefined || button === undefined) return lost(seen);
  return {
    decision: 'RETRY',
    message: 'Fill the form and send it.',
    analysis: 'This is the form to sign in.',
    commands: [type(user, 'ada'), type(password, '${password}'), click(button)],
  };
}

function fillCart(seen: Seen): Thought {
  if (/Added to cart/.test(seen.page))
    return { decision: 'PROCEED', message: 'It is in the cart.', analysis: 'The page says that it was added.' };
  const [add, size] = [seen.ref('button', 'Add to cart'), seen.ref('combobox', 'Size')];
  if (add !== undefined && size !== undefined) {
    // The first idea fails: a person's size is no size of this shop. What came of it stands in the next prompt.
    const option = seen.attempts.includes('"option":"42"') && seen.attempts.includes('failed') ? 'M' : '42';
    return {
      decision: 'RETRY',
      message: `Choose size ${option} and add it.`,
      analysis: option === 'M' ? 'There is no 42 here; the step says M.' : 'The page of the shoe.',
      commands: [{ action: 'SELECT_OPTION', parameters: { selector: `ref=${size}`, option } }, click(add)],
    };
  }
  const shoe = seen.ref('link', /^Trail Shoe/);
  if (shoe !== undefined)
    return { decision: 'RETRY', message: 'Open the shoe.', analysis: 'It is in the results.', commands: [click(shoe)] };
  const [field, search] = [
    seen.ref('searchbox', /Search/) ?? seen.ref('textbox', /Search/),
    seen.ref('button', 'Search'),
  ];
  if (field === undefined || search === undefined) return lost(seen);
  return {
    decision: 'RETRY',
    message: 'Search for it.',
    analysis: 'There is a search field.',
    commands: [type(field, 'trail'), click(search), { action: 'WAIT_FOR', parameters: { text: 'Trail Shoe' } }],
  };
}

function checkOut(seen: Seen): Thought {
  if (seen.page.includes('Thank you'))
    return { decision: 'PROCEED', message: 'The order is placed.', analysis: 'The page says thank you.' };
  const place = seen.ref('button', 'Place order');
  if (place === undefined) {
    const checkout = seen.ref('link', 'Checkout') ?? seen.ref('button', 'Checkout');
    if (checkout === undefined) return lost(seen);
    return { decision: 'RETRY', message: 'Go to the checkout.', analysis: 'The cart.', commands: [click(checkout)] };
  }
  const needed = [
    seen.ref('textbox', 'Full name'),
    seen.ref('textbox', 'Address'),
    seen.ref('textbox', 'Card number'),
    seen.ref('radio', 'Express'),
    seen.ref('checkbox', 'I accept the terms'),
  ];
  const [name, address, card, express, terms] = needed as string[];
  if (needed.includes(undefined)) return lost(seen);
  const check = (ref: string): AIGeneratedCommand => ({
    action: 'SET_CHECKED',
    parameters: { selector: `ref=${ref}`, checked: true },
  });
  return {
    decision: 'RETRY',
    message: 'Fill the form and place the order.',
    analysis: 'The form of the checkout.',
    commands: [
      type(name!, 'Ada Lovelace'),
      type(address!, '12 Engine Street, London'),
      type(card!, '4242 4242 4242 4242'),
      check(express!),
      check(terms!),
      click(place),
    ],
  };
}

function save(seen: Seen): Thought {
  if (hasDone(seen.attempts, 'SAVE_VARIABLE'))
    return { decision: 'PROCEED', message: 'The number is kept.', analysis: 'It was read from the page.' };
  const number = /- text: Order number:\n\s*- strong \[ref=(\w+)\]/.exec(seen.page)?.[1];
  if (number === undefined) return lost(seen);
  return {
    decision: 'PROCEED',
    message: 'Keep the order number.',
    analysis: 'The page shows it.',
    commands: [{ action: 'SAVE_VARIABLE', parameters: { selector: `ref=${number}`, variableName: 'order_number' } }],
  };
}

function toText({ decision, message, analysis, commands = [], forStep }: Thought): string {
  return JSON.stringify({
    reasoning: { analysis, rationale: 'It is what the step asks for.', expectedOutcome: message, confidence: 0.9 },
    decision: { action: decision, message },
    commands,
    ...(forStep === undefined ? {} : { context: { forStep } }),
  });
}
