import type { CommandEvidence, ObservedRequest } from '../../../../../contracts/commands/evidence';
import { anInterruptedCommand, anObservedCommand, anUnobservedCommand } from '../../../../support/evidence';
import { createRulesModel } from '../../../../../rules/rules-model';
import type { PastCommand, PastIteration, DecisionRequest } from '../../../../../contracts/model-port/port';
import {
  AIResponseSchema,
  DecisionAction,
  REFLECTION_CONFIDENCE,
  type AIResponse,
} from '../../../../../contracts/models/ai-response';
import { ParametersByAction } from '../../../../../contracts/commands/commands';
import type { PageSnapshot, PageNode } from '../../../../../contracts/browsers/page-snapshot';

const BLANK: PageSnapshot = { snapshotId: 'blank', url: 'about:blank', title: '', tabs: [], nodes: [] };

function aSnapshot(nodes: PageNode['children'], title = 'Shop', url = 'https://shop.test/'): PageSnapshot {
  return {
    snapshotId: 'look',
    url,
    title,
    tabs: [],
    nodes: [{ role: 'generic', ref: 'e1', ...(nodes && { children: nodes }) }],
  };
}

const SIGN_IN = aSnapshot(
  [
    { role: 'heading', name: 'Sign in', level: 1, ref: 'e2' },
    { role: 'textbox', name: 'Username', ref: 'e3' },
    { role: 'textbox', name: 'Password', ref: 'e4' },
    { role: 'button', name: 'Sign in', ref: 'e5' },
    { role: 'button', name: 'Register', ref: 'e6' },
  ],
  'Shop – Sign in',
  'https://shop.test/login',
);
const HOME = aSnapshot(['Welcome, Ada', { role: 'link', name: 'Cart', ref: 'e9' }], 'Shop', 'https://shop.test/home');

function aQuestion(question: Partial<DecisionRequest> & { instruction: string }): DecisionRequest {
  return {
    stepIndex: 0,
    iteration: question.pastIterations?.length ?? 0,
    maxIterations: 5,
    mayAct: true,
    pastIterations: [],
    snapshot: SIGN_IN,
    variables: [],
    ...question,
  };
}

async function decide(question: Partial<DecisionRequest> & { instruction: string }): Promise<AIResponse> {
  const answer = await createRulesModel().decide(aQuestion(question), { signal: new AbortController().signal });
  expect(answer).toMatchObject({ model: 'rules', usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 } });
  const reply = AIResponseSchema.parse(answer.reply);
  for (const { action, parameters } of reply.commands) ParametersByAction[action].parse(parameters);
  return reply;
}

const kinds = (reply: AIResponse): string[] => reply.commands.map(({ action }) => action);

/** What the engine would report of a reply: the outcome of each command by position, the rest done. */
function aRound(reply: AIResponse, ...outcomes: Partial<PastCommand>[]): PastIteration {
  const { decision, reasoning, commands, context } = reply;
  const commandOutcomes = commands.map(({ action, parameters }, at) => ({
    action,
    parameters,
    status: 'done' as const,
    ...outcomes[at],
  }));
  return { decision, reasoning, commands, context, outcomes: commandOutcomes };
}

describe('the next commands of the rules model', () => {
  test('does a whole step in one reply, with high confidence, when the snapshot contains all targets', async () => {
    const reply = await decide({
      instruction: 'type "ada" into Username, type "${pw}" into Password, click "Sign in" and expect "Welcome"',
      variables: ['pw'],
    });
    expect(reply.decision.action).toBe(DecisionAction.PROCEED);
    expect(reply.reasoning.confidence).toBeGreaterThanOrEqual(REFLECTION_CONFIDENCE);
    expect(reply.commands.map(({ action, parameters }) => ({ action, ...parameters }))).toEqual([
      { action: 'INPUT_TEXT', selector: 'ref=e3', text: 'ada' },
      { action: 'INPUT_TEXT', selector: 'ref=e4', text: '${pw}' },
      { action: 'CLICK_ELEMENT', selector: 'ref=e5' },
      { action: 'EXPECT', text: 'Welcome' },
    ]);
    expect(reply.context).toEqual({ plan: [0, 1, 2, 3] });
    expect(reply.decision.message).toContain(
      'I see the field “Username”, the field “Password” and the button “Sign in” on “Shop – Sign in”.',
    );
  });

  test('waits for a new snapshot after a click before it names elements of the next page', async () => {
    const instruction = 'click "Sign in", expect "Welcome" and open the Cart';
    const first = await decide({ instruction });
    expect(kinds(first)).toEqual(['CLICK_ELEMENT', 'EXPECT']);
    expect(first.reasoning.confidence).toBeLessThan(REFLECTION_CONFIDENCE);
    const second = await decide({ instruction, snapshot: HOME, pastIterations: [aRound(first)] });
    expect(second.commands.map(({ parameters }) => parameters)).toEqual([{ selector: 'ref=e9' }]);
    expect(second.reasoning.confidence).toBeGreaterThanOrEqual(REFLECTION_CONFIDENCE);
    expect(second.decision.resultValidation).toMatchObject({ success: true, expectedElements: ['Welcome'] });
    const third = await decide({ instruction, snapshot: HOME, pastIterations: [aRound(first), aRound(second)] });
    expect(third).toMatchObject({ decision: { action: 'PROCEED' }, commands: [] });
  });

  test('opens an address without having seen a page', async () => {
    const reply = await decide({ instruction: 'open shop.test/login and expect "Sign in"', snapshot: BLANK });
    expect(kinds(reply)).toEqual(['OPEN_PAGE', 'EXPECT']);
    expect(reply.reasoning.confidence).toBeGreaterThanOrEqual(REFLECTION_CONFIDENCE);
  });

  test('opens a path on the current site', async () => {
    expect((await decide({ instruction: 'go to /cart' })).commands[0]?.parameters).toEqual({
      url: 'https://shop.test/cart',
    });
    expect((await decide({ instruction: 'go to /cart', snapshot: BLANK })).decision.message).toContain(
      'start with: open https://',
    );
  });

  test('says how to begin when no page is open', async () => {
    const reply = await decide({ instruction: 'click Save', snapshot: BLANK });
    expect(reply.decision).toMatchObject({
      action: 'ABORT',
      message: expect.stringContaining('no page is open yet; start with: open https://'),
    });
  });

  test('gives the answer to a dialog in the same reply as the click, and again with a second try', async () => {
    const instruction = 'type "ada" into Username, click Register and accept the dialog';
    const first = await decide({ instruction });
    expect(kinds(first)).toEqual(['INPUT_TEXT', 'HANDLE_DIALOG', 'CLICK_ELEMENT']);
    const missed = aRound(first, {}, {}, { status: 'failed', error: { code: 'EX002', message: 'gone' } });
    const second = await decide({ instruction, pastIterations: [missed] });
    expect(second.decision.action).toBe('RETRY');
    expect(kinds(second)).toEqual(['HANDLE_DIALOG', 'CLICK_ELEMENT']);
    const lost = aRound(first, {}, {}, { status: 'unknown' });
    expect((await decide({ instruction, pastIterations: [lost] })).decision.action).toBe('ABORT');
    const shown = await decide({
      instruction: `${instruction} and expect "Welcome"`,
      snapshot: HOME,
      pastIterations: [lost],
    });
    expect(kinds(shown)).toEqual(['EXPECT']);
  });
});

describe("the messages of the rules model when it can't continue", () => {
  test('quotes the clause it does not understand, what it understands, and how to set a model', async () => {
    const reply = await decide({ instruction: 'open a.test and then buy the cheapest shoe' });
    expect(reply).toMatchObject({ decision: { action: 'ABORT' }, reasoning: { confidence: 1 }, commands: [] });
    expect(reply.decision.message).toContain('“buy the cheapest shoe”');
    expect(reply.decision.message).toContain('type "text" into X');
    expect(reply.decision.message).toContain('SUREFOOT_MODEL=vertexai/gemini-2.5-pro');
  });

  test('names the known variables when one is unknown, and knows those saved before', async () => {
    const reply = await decide({ instruction: 'type "${pasword}" into Password', variables: ['user', 'password'] });
    expect(reply.decision).toMatchObject({
      action: 'ABORT',
      message: expect.stringContaining('Known variables: user, password.'),
    });
    const saved = await decide({ instruction: 'save Username as who and type "${who}" into Password' });
    expect(kinds(saved)).toEqual(['SAVE_VARIABLE', 'INPUT_TEXT']);
  });

  test('does not guess between equals: it lists them with their places and how to say which', async () => {
    const row = (name: string, ref: string): PageNode => ({
      role: 'row',
      children: [
        { role: 'cell', name },
        { role: 'button', name: 'Delete', ref },
      ],
    });
    const look = aSnapshot([{ role: 'table', children: [row('Trail Shoe', 'e7'), row('Road Shoe', 'e8')] }]);
    const { decision } = await decide({ instruction: 'click Delete', snapshot: look });
    expect(decision.action).toBe('ABORT');
    expect(decision.message).toBe(
      '“Delete” fits 2 things equally well: (1) button “Delete” in the row “Trail Shoe”; (2) button “Delete” in the row “Road Shoe”. ' +
        'Say which one, for example “the first Delete button” or “the Delete button next to Trail Shoe”. Nothing was done. ' +
        'Did you mean: click "Delete" in "Trail Shoe", or click "Delete" in "Road Shoe"?',
    );
    for (const said of ['the first Delete button', 'the Delete button next to Trail Shoe']) {
      expect((await decide({ instruction: `click ${said}`, snapshot: look })).commands[0]?.parameters.selector).toBe(
        'ref=e7',
      );
    }
  });

  test('gives a missing target one chance to appear, then says what is there instead', async () => {
    const instruction = 'click "Sign up"';
    const first = await decide({ instruction });
    expect(first.decision.action).toBe('RETRY');
    expect(first.commands).toMatchObject([{ action: 'WAIT_FOR', parameters: { text: 'Sign up', seconds: 5 } }]);
    expect(first.context).toEqual({ plan: [0], waiting: 0 });
    const appeared = aSnapshot([{ role: 'button', name: 'Sign up', ref: 'e7' }]);
    expect(kinds(await decide({ instruction, snapshot: appeared, pastIterations: [aRound(first)] }))).toEqual([
      'CLICK_ELEMENT',
    ]);
    const last = await decide({ instruction, pastIterations: [aRound(first, { status: 'failed' })] });
    expect(last.decision).toMatchObject({
      action: 'ABORT',
      message:
        'I looked for “"Sign up"” on “Shop – Sign in” (https://shop.test/login) and did not find it. The page has these buttons and links: Sign in, Register. Nothing was done.',
    });
  });

  test('does what it can before it waits for the rest', async () => {
    const reply = await decide({ instruction: 'type "ada" into Username and click Continue' });
    expect(kinds(reply)).toEqual(['INPUT_TEXT']);
    expect(reply.reasoning.confidence).toBeLessThan(REFLECTION_CONFIDENCE);
  });

  test('lists the options of a list that lacks the one asked for', async () => {
    const options = ['S', 'M', 'L'].map((name) => ({ role: 'option', name }));
    const look = aSnapshot([{ role: 'combobox', name: 'Size', ref: 'e2', children: options }]);
    const first = await decide({ instruction: 'choose "XXL" in Size', snapshot: look });
    const { decision } = await decide({
      instruction: 'choose "XXL" in Size',
      snapshot: look,
      pastIterations: [aRound(first)],
    });
    expect(decision.message).toContain('the list “Size” has no option “XXL”; it has: S, M, L.');
  });

  test('only judges once the iterations are used up', async () => {
    const instruction = 'click "Sign in" and open the Cart';
    const first = await decide({ instruction });
    const rounds = [aRound(first)];
    expect(
      (await decide({ instruction, pastIterations: rounds, snapshot: HOME, mayAct: false })).decision,
    ).toMatchObject({
      action: 'ABORT',
      message: expect.stringContaining('“open the Cart”'),
    });
    const all = await decide({ instruction: 'click "Sign in"', pastIterations: rounds, snapshot: HOME, mayAct: false });
    expect(all).toMatchObject({ decision: { action: 'PROCEED' }, commands: [] });
  });
});

describe('failures in the rules model', () => {
  const instruction = 'click "Sign in" and expect "Welcome"';
  const failed = (code: string, message = 'it failed'): Partial<PastCommand> => ({
    status: 'failed',
    error: { code, message },
  });

  test.each(['EX002', 'EX003', 'EX004'])('finds a target again after %s, at most two more times', async (code) => {
    const rounds: PastIteration[] = [];
    for (const action of ['PROCEED', 'RETRY', 'RETRY']) {
      const reply = await decide({ instruction, pastIterations: rounds });
      expect(reply.decision.action).toBe(action);
      rounds.push(aRound(reply, failed(code), { status: 'skipped' }));
    }
    const { decision } = await decide({ instruction, pastIterations: rounds });
    expect(decision).toMatchObject({ action: 'ABORT', message: expect.stringContaining(`it failed (${code})`) });
    expect(decision.message).toContain('after 3 tries');
  });

  test('uses the ref that the target has in the new snapshot', async () => {
    const first = await decide({ instruction });
    const look = aSnapshot([{ role: 'button', name: 'Sign in', ref: 'e55' }]);
    const reply = await decide({ instruction, snapshot: look, pastIterations: [aRound(first, failed('EX002'))] });
    expect(reply.commands[0]?.parameters.selector).toBe('ref=e55');
  });

  test('does not repeat what failed for a reason that another try cannot change', async () => {
    const first = await decide({ instruction });
    const reply = await decide({ instruction, pastIterations: [aRound(first, failed('SM002', 'bad parameters'))] });
    expect(reply.decision).toMatchObject({
      action: 'ABORT',
      message: expect.stringContaining('bad parameters (SM002)'),
    });
  });

  test('ends with the expected and the actual state when an expectation is not met', async () => {
    const first = await decide({ instruction });
    const reply = await decide({ instruction, pastIterations: [aRound(first, {}, failed('TL004'))] });
    expect(reply.decision.action).toBe('ABORT');
    expect(reply.decision.message).toContain(
      'Expected to see “Welcome”, but the page does not show it: “Shop – Sign in” (https://shop.test/login).',
    );
  });

  test('says of an expectation that is not met how the site has answered', async () => {
    const first = await decide({ instruction });
    const requests = [{ method: 'POST', url: 'https://shop.test/login', status: 503 }];
    const clicked = { evidence: anObservedCommand({ requests, urlAfter: 'https://shop.test/login' }) };
    const reply = await decide({ instruction, pastIterations: [aRound(first, clicked, failed('TL004'))] });
    expect(reply.decision.message).toMatch(
      /^Expected to see “Welcome”, .* POST https:\/\/shop\.test\/login was answered with 503/,
    );
  });

  test('does not take what the site has refused as done because the step is tried again', async () => {
    const first = await decide({ instruction: 'Click "Sign in"' });
    const requests = [{ method: 'POST', url: 'https://shop.test/login', status: 422 }];
    const refused = { evidence: anObservedCommand({ requests, urlAfter: 'https://shop.test/login' }) };
    const pastIterations = [aRound(first, refused)];
    const reply = await decide({ instruction: 'Click "Sign in"', pastIterations, triedFrom: 1 });
    expect(reply.decision).toMatchObject({
      action: 'ABORT',
      message: expect.stringContaining('was answered with 422') as string,
    });
  });

  test('opens an address again that was answered with an error, where the step is tried again', async () => {
    const step = 'Open https://shop.test/login';
    const first = await decide({ instruction: step, snapshot: BLANK });
    const requests = [{ method: 'GET', url: 'https://shop.test/login', status: 503 }];
    const evidence = anObservedCommand({ requests, urlAfter: 'https://shop.test/login' });
    const question = { instruction: step, pastIterations: [aRound(first, { evidence })] };
    expect((await decide(question)).decision.action).toBe('ABORT');
    expect(kinds(await decide({ ...question, triedFrom: 1 }))).toEqual(['OPEN_PAGE']);
  });

  test('repeats an expectation when the page meets it by now', async () => {
    const first = await decide({ instruction });
    const reply = await decide({ instruction, snapshot: HOME, pastIterations: [aRound(first, {}, failed('TL004'))] });
    expect(reply.decision.action).toBe('RETRY');
    expect(kinds(reply)).toEqual(['EXPECT']);
    expect(reply.decision.resultValidation).toMatchObject({ success: false, issues: ['it failed'] });
  });

  const seen = (request: ObservedRequest) => ({ at: 'then', resourceType: 'Document', ...request });
  const lost = async (look: PageSnapshot, evidence?: CommandEvidence, step = instruction): Promise<AIResponse> => {
    const first = await decide({ instruction: step });
    return decide({
      instruction: step,
      snapshot: look,
      pastIterations: [aRound(first, { status: 'unknown', evidence }, { status: 'skipped' })],
    });
  };

  test('never repeats a click of unknown outcome', async () => {
    const reply = await lost(SIGN_IN);
    expect(reply).toMatchObject({ decision: { action: 'ABORT' }, commands: [] });
    expect(reply.context).toMatchObject({ unknownOutcome: 'cannot-know' });
    expect(reply.decision.message).toContain('I cannot know whether “click "Sign in"” took effect');
  });

  test('counts a click of unknown outcome as done when the next expectation is met', async () => {
    const reply = await lost(HOME);
    expect(kinds(reply)).toEqual(['EXPECT']);
    expect(reply.context).toEqual({ plan: [1], settled: [0], unknownOutcome: 'happened' });
    const first = await decide({ instruction });
    const rounds = [aRound(first, { status: 'unknown' }, { status: 'skipped' }), aRound(reply)];
    expect(await decide({ instruction, snapshot: HOME, pastIterations: rounds })).toMatchObject({
      decision: { action: 'PROCEED' },
      commands: [],
    });
  });

  test.each([
    ['came', [{ method: 'GET', url: '/login', status: 200 }], 'PROCEED'],
    ['did not come', [{ method: 'GET', url: '/login' }], 'ABORT'],
  ])('judges a lost reload by whether the page %s', async (_what, requests, action) => {
    const reply = await lost(SIGN_IN, anInterruptedCommand({ requests: requests.map(seen) }), 'reload the page');
    expect(reply.decision.action).toBe(action);
  });

  test.each([
    ['a POST that was answered with 200', [{ method: 'POST', url: '/login', status: 200 }], 'PROCEED'],
    ['a POST that was answered with a redirect', [{ method: 'POST', url: '/login', status: 303 }], 'PROCEED'],
    ['a POST that failed', [{ method: 'POST', url: '/login', status: 500 }], 'ABORT'],
    ['a GET', [{ method: 'GET', url: '/login', status: 200 }], 'ABORT'],
    ['no request', [], 'ABORT'],
  ])('judges a lost click by %s', async (_what, requests, action) => {
    const reply = await lost(SIGN_IN, anInterruptedCommand({ requests: requests.map(seen) }), 'click "Sign in"');
    expect(reply.decision.action).toBe(action);
    expect(reply.commands).toEqual([]);
  });

  test.each([
    ['its document is gone and the address is another', { isDocumentGone: true, urlAfter: '/home' }, 'PROCEED'],
    ['its document is gone but the address is the same', { isDocumentGone: true, urlAfter: '/login' }, 'ABORT'],
    ['its document is still there', { isDocumentGone: false, urlAfter: '/login#x' }, 'ABORT'],
  ])('judges a lost click by where it led: %s', async (_what, evidence, action) => {
    const reply = await lost(SIGN_IN, anUnobservedCommand({ urlBefore: '/login', ...evidence }), 'click "Sign in"');
    expect(reply.decision.action).toBe(action);
  });

  test.each([
    ['its form was sent, and the answer was an error', '/orders', [{ method: 'POST', url: '/orders', status: 500 }]],
    ['its link could not be loaded', 'chrome-error://chromewebdata/', [{ method: 'GET', url: '/orders' }]],
  ])('another address says nothing when %s', async (_what, urlAfter, requests) => {
    const change = { urlBefore: '/login', urlAfter, requests: requests.map(seen), isDocumentGone: true };
    const reply = await lost(SIGN_IN, anUnobservedCommand(change), 'click "Sign in"');
    expect(reply).toMatchObject({ decision: { action: 'ABORT' }, context: { unknownOutcome: 'cannot-know' } });
  });

  test.each([undefined, 2])(
    'ends the step where a click led to a blocked page, and says that it happened (from call %s)',
    async (triedFrom) => {
      const first = await decide({ instruction });
      const evidence = anObservedCommand({ blockedNavigation: 'https://pay.test/thanks?id=1' });
      const pastIterations = [aRound(first, { status: 'done', evidence }, { status: 'skipped' })];
      const reply = await decide({ instruction, snapshot: HOME, pastIterations, triedFrom });
      expect(reply).toMatchObject({ decision: { action: 'ABORT' }, commands: [] });
      expect(reply.decision.message).toContain(
        'CLICK_ELEMENT was done, and it led to a page that was blocked: https://',
      );
    },
  );

  test('clicks again when a person says that it did not happen, and goes on when it did', async () => {
    const first = await decide({ instruction });
    const after = (happened: boolean) => {
      const lostClick = { status: 'unknown', resolution: { by: 'person', happened } } as const;
      return decide({ instruction, pastIterations: [aRound(first, lostClick, { status: 'skipped' })] });
    };
    expect(kinds(await after(false))).toEqual(['CLICK_ELEMENT', 'EXPECT']);
    expect(kinds(await after(true))).toEqual(['EXPECT']);
  });

  test('does not type again when the outcome of typing is unknown: its page may have sent the text', async () => {
    const step = 'type "ada" into Username';
    expect(kinds(await lost(SIGN_IN, undefined, step))).toEqual([]);
  });
});

test('a control in the More menu is asked about where two places fit, and its menu opened where one does', async () => {
  const post = (name: string, ref: string): PageNode => ({
    role: 'article',
    ref: `${ref}0`,
    children: [
      { role: 'heading', name, level: 2, ref: `${ref}1` },
      { role: 'button', name: 'Reply', ref: `${ref}2` },
      { role: 'button', name: 'More', ref: `${ref}3` },
    ],
  });
  const instruction = 'For the post by "@ada", click on the "Report" button';
  const decideOn = async (snapshot: PageSnapshot): Promise<AIResponse> => {
    const waiting = await decide({ instruction, snapshot });
    expect(waiting.commands).toMatchObject([{ action: 'WAIT_FOR', parameters: { text: 'Report' } }]);
    return await decide({ instruction, snapshot, pastIterations: [aRound(waiting, { status: 'failed' })] });
  };
  const one = await decideOn(aSnapshot([post('@ada', 'e1'), post('@bob', 'e2')]));
  expect(one.commands).toMatchObject([{ action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e13' } }]);
  const two = await decideOn(aSnapshot([post('@ada', 'e1'), post('@ada', 'e2')]));
  expect(two.decision.action).toBe(DecisionAction.ABORT);
  expect(two.decision.message).toMatch(/fits 2 things equally well: .*More/);
});
