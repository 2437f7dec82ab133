import { EFFECT_CLASS } from '../../../contracts/commands/commands';
import { requestsIn } from '../../../contracts/commands/evidence';
import { armPoint, rearm } from '../../../activities/browser/targets/delivery-marker';
import { findTarget } from '../../../activities/browser/targets/find-target';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { a, type StagedSession } from '../../support/browser-session';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import { eventually } from '../../support/eventually';
import { freeze } from '../../support/freeze';

let stage: BrowserStage;
beforeAll(async () => (stage = await openBrowserStage()));
afterAll(() => stage.stop());

/** A page that counts the keys in its opener and closes before it answers. */
const POPUP = `<script>onkeydown = () => { opener.document.title += '!'; window.close(); };</script><p>Press a key</p>`;
const ADD = a('CLICK_ELEMENT', { selector: 'role=button[name="Add one"]' });

async function on(path: string): Promise<StagedSession> {
  const session = await stage.newSession();
  await session.open(path);
  return session;
}

/** What a worker leaves behind that dies after its intent: nothing has acted yet. */
async function intended(session: StagedSession, { commandId, action, parameters }: PlannedCommand): Promise<void> {
  const { runId, sessionId } = session;
  const intent = { commandId, action, parameters, stepIndex: 0, turn: 0, position: 0, effect: EFFECT_CLASS[action] };
  const guard = { runId, epoch: session.lease!.epoch };
  await stage.store.journal.intend(sessionId, guard, { ...intent, pageUrl: session.page().url() }, []);
}

test('a batch that runs twice does nothing twice and returns the same outcomes', async () => {
  const session = await on('/parts/counter');
  const batch = session.plan([ADD, a('EXPECT', { text: 'Count: 1' }), ADD]);
  const first = await session.did(batch);
  const kinds = await session.kinds();
  expect(await session.run(batch)).toEqual(first);
  for (let times = 0; times < 2; times += 1)
    expect(await session.run(batch, { worker: 'second' })).toMatchObject({
      outcomes: first.outcomes,
      page: first.page,
    });
  expect(session.count()).toBe(2);
  // That another worker goes on is a mark on the timeline, once.
  expect(await session.kinds()).toEqual([...kinds, 'WARNING_ISSUED']);
  expect((await session.log()).at(-1)!.data.warning).toMatchObject({ details: { kind: 'worker.replaced' } });
});

test('a failed command is not run again, and the commands after it stay skipped', async () => {
  const session = await on('/parts/counter');
  const batch = session.plan([a('CLICK_ELEMENT', { selector: '#none' }), ADD]);
  const { outcomes } = await session.run(batch, { timeoutMs: 200 });
  expect((await session.run(batch, { worker: 'second' })).outcomes).toEqual(outcomes);
  expect(session.count()).toBe(0);
});

test('another worker takes over with a higher epoch and finds half-typed input', async () => {
  const session = await on('/parts/form');
  await session.did([a('INPUT_TEXT', { selector: '#name', text: 'half-ty' })]);
  const before = session.lease!.epoch;
  await session.did([a('EXPECT', { selector: '#name', text: 'half-ty' })], { worker: 'second' });
  expect(session.lease!.epoch).toBe(before + 1);
  expect(await stage.store.leases.get(session.sessionId)).toMatchObject({ workerId: 'second', epoch: before + 1 });
});

test('the previous worker is cut off: it can not act, and the journal refuses its writes', async () => {
  const session = await on('/parts/counter');
  const old = { page: session.page(), epoch: session.lease!.epoch };
  await session.did([a('GET_DOM')], { worker: 'second' });
  await expect(old.page.getByRole('button', { name: 'Add one' }).click({ timeout: 2000 })).rejects.toThrow();
  const [command] = session.plan([ADD]);
  await expect(
    stage.store.journal.intend(
      session.sessionId,
      { runId: session.runId, epoch: old.epoch },
      { ...command!, stepIndex: 0, turn: 0, position: 0, effect: 'commit', pageUrl: '', target: undefined },
      [],
    ),
  ).rejects.toMatchObject({ reason: 'stale-epoch' });
  expect(session.count()).toBe(0);
});

test('a batch under way stops acting when another worker takes over', async () => {
  const session = await on('/parts/counter');
  const batch = session.plan([a('WAIT_FOR', { seconds: 30 }), ADD]);
  const error: unknown = await session
    .run(batch, {
      lease: session.lease!,
      timeoutMs: 40_000,
      whileRunning: async () => {
        await eventually('the wait has begun', async () => (await session.journal()).length === 2);
        await session.did([a('GET_DOM')], { worker: 'second' });
      },
    })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ type: 'StaleLease' });
  expect((error as Error).message).toContain('Another worker has taken the browser over');
  expect(session.count()).toBe(0);
});

test('an attempt that a stale one overtakes is retried in the same Chrome', async () => {
  const session = await on('/parts/counter');
  const batch = session.plan([a('WAIT_FOR', { text: 'Go on', seconds: 30 })]);
  const lease = session.lease!;
  const error: unknown = await session
    .run(batch, {
      lease,
      timeoutMs: 40_000,
      whileRunning: async () => {
        await eventually('the wait has begun', async () => (await session.journal()).length === 2);
        // As when a database that stood still commits what an attempt before has asked of it.
        const { hostId, workerId } = (await stage.store.leases.get(session.sessionId))!;
        await stage.store.leases.acquire(session.sessionId, { runId: session.runId }, hostId, workerId);
        await session.page().evaluate(() => document.body.append('Go on'));
      },
    })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ type: 'StaleLease', nonRetryable: false });
  const { lease: next } = await session.did([...batch, ADD]);
  expect(next).toMatchObject({ browserId: lease.browserId, epoch: lease.epoch + 2 });
  expect(session.count()).toBe(1);
});

test('an attempt that was given up before it got the browser takes it from nobody', async () => {
  const session = await on('/parts/counter');
  const { epoch } = session.lease!;
  await session.run([ADD], { worker: 'second', whileRunning: async (giveUp) => giveUp() }).catch(() => undefined);
  expect(await stage.store.leases.get(session.sessionId)).toMatchObject({ epoch });
  expect((await session.did([ADD])).lease).toMatchObject({ epoch });
  expect(session.count()).toBe(1);
});

test('a second attempt takes over from a first that still runs, also in the same worker', async () => {
  const session = await on('/parts/counter');
  // The first has not lost its browser before the second is attached, and both wait for what comes only then.
  const batch = session.plan([a('WAIT_FOR', { text: 'Go on', seconds: 30 }), ADD]);
  const lease = session.lease!;
  const { attachments } = stage.worker();
  await session
    .run(batch, {
      lease,
      timeoutMs: 40_000,
      whileRunning: async () => {
        await eventually('the wait has begun', async () => (await session.journal()).length === 2);
        const second = session.did(batch, { timeoutMs: 40_000 });
        second.catch(() => {});
        const { page } = await eventually('the second has taken over', async () => {
          const { epoch } = (await stage.store.leases.get(session.sessionId))!;
          return epoch > lease.epoch && attachments.held(session.sessionId, { ...lease, epoch });
        });
        await page.evaluate(() => document.body.append('Go on'));
        await second;
      },
    })
    .catch(() => undefined);
  expect(session.count()).toBe(1);
  expect(session.lease!.epoch).toBe(lease.epoch + 1);
});

test('an intended click whose page has an armed marker runs once', async () => {
  const session = await on('/parts/counter');
  const [command] = session.plan([ADD]);
  await intended(session, command!);
  await arm(session, command!.commandId);
  await session.did([command!], { worker: 'second' });
  expect(session.count()).toBe(1);
  expect((await session.lastEntry()).attempts).toBe(2);
});

test('a second attempt waits for one that was given up, and continues in its epoch from where it stopped', async () => {
  const session = await on('/parts/counter');
  const lease = session.lease!;
  const batch = session.plan([ADD, a('WAIT_FOR', { text: 'Go on', seconds: 30 }), ADD]);
  const first = await session.run(batch, {
    lease,
    timeoutMs: 40_000,
    whileRunning: async (giveUp) => {
      await eventually('the wait is next', async () => (await session.journal()).length === 3);
      const second = session.did(batch, { timeoutMs: 40_000 });
      second.catch(() => {});
      giveUp();
      await session.page().evaluate(() => document.body.append('Go on'));
      await second;
    },
  });
  expect(first.isInterrupted).toBe(true);
  expect(session.count()).toBe(2);
  expect(session.lease!.epoch).toBe(lease.epoch);
});

test('a commit in flight finishes when its attempt is given up: the second attempt finds it done', async () => {
  const session = await stage.newSession();
  const busy = `const end = performance.now() + 800; while (performance.now() < end); document.title += ' pressed'`;
  await session.open(stage.page('/busy', `<button onclick="${busy}">Think</button>`));
  const lease = session.lease!;
  const batch = session.plan([a('CLICK_ELEMENT', { selector: 'role=button[name="Think"]' })]);
  await session.run(batch, {
    lease,
    whileRunning: async (giveUp) => {
      await eventually('the click has begun', async () => (await session.journal()).length === 2);
      const second = session.did(batch);
      second.catch(() => {});
      giveUp();
      await second;
    },
  });
  expect(await session.page().title()).toBe('/busy pressed');
  expect(await session.lastEntry()).toMatchObject({ status: 'done', attempts: 1 });
  expect(session.lease!.epoch).toBe(lease.epoch);
});

test('a click whose page is gone without a marker is unknown, with its requests, and not repeated', async () => {
  const session = await on('/parts/counter');
  const [command] = session.plan([ADD]);
  await intended(session, command!);
  // It did happen, but nobody wrote it down.
  await session.page().getByRole('button', { name: 'Add one' }).click();
  const { outcomes } = await session.run([command!, ...session.plan([ADD])], { worker: 'second' });
  expect(outcomes.map(({ status }) => status)).toEqual(['unknown', 'skipped']);
  expect(outcomes[0]).toMatchObject({ code: 'TL004' });
  const [entry] = (await session.journal()).filter(({ commandId }) => commandId === command!.commandId);
  expect(entry).toMatchObject({
    status: 'unknown',
    evidence: { kind: 'unobserved', isDocumentGone: true, eventDelivered: false },
    error: { code: 'TL004', details: { outcome: 'unknown' } },
  });
  expect(requestsIn(entry?.evidence)).toContainEqual(expect.objectContaining({ method: 'POST', status: 303 }));
  expect((await session.log()).at(-1)).toMatchObject({ type: 'COMMAND_FAILED', data: { error: { code: 'TL004' } } });
  expect((await session.run([command!], { worker: 'second' })).outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(session.count()).toBe(1);
});

test('when nobody watched for a while since the intent, the message says that silence proves nothing', async () => {
  const session = await on('/parts/counter');
  const [command] = session.plan([ADD]);
  await intended(session, command!);
  await stage.restartKeeper();
  const { outcomes } = await session.run([command!], { worker: 'second' });
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(outcomes[0]?.message).toContain('No request was seen since. Not all of that time was watched');
  expect((await session.lastEntry()).evidence).toMatchObject({
    gaps: [{ from: expect.any(String) as string, to: expect.any(String) as string }],
  });
});

test('a click that was executed when its worker died is done with its evidence, and not repeated', async () => {
  const session = await on('/parts/counter');
  const [command] = session.plan([ADD]);
  await intended(session, command!);
  await session.page().getByRole('button', { name: 'Add one' }).click();
  const guard = { runId: session.runId, epoch: session.lease!.epoch };
  await stage.store.journal.markExecuted(session.sessionId, guard, command!.commandId);
  await session.did([command!], { worker: 'second' });
  expect(session.count()).toBe(1);
  const entry = await session.lastEntry();
  expect(entry).toMatchObject({ status: 'done', attempts: 1, response: { success: true } });
  expect(requestsIn(entry.evidence)).toContainEqual(expect.objectContaining({ method: 'POST', status: 303 }));
  expect(await session.kinds()).toEqual(expect.arrayContaining(['COMMAND_COMPLETED']));
  expect((await session.log()).filter(({ eventId }) => eventId === `${command!.commandId}/completed`)).toHaveLength(1);
});

test('an unfinished takeover does not hold up the worker that it was meant to replace', async () => {
  const session = await on('/parts/counter');
  const { epoch, hostId } = session.lease!;
  // The second worker dies between the next epoch and the cut: the first is attached still, under an epoch of the past.
  await stage.store.leases.acquire(session.sessionId, { runId: session.runId }, hostId, 'second');
  await session.did([ADD], { worker: 'first' });
  expect(session.lease!.epoch).toBe(epoch + 2);
  expect(session.count()).toBe(1);
});

test('a click that was delivered is unknown and not repeated, also when a script clicked before', async () => {
  const session = await on(stage.page('/own-clicks', `<button onclick="document.title += '!'">Add one</button>`));
  const page = session.page();
  const [command] = session.plan([ADD]);
  await intended(session, command!);
  await arm(session, command!.commandId);
  await page.evaluate(() => document.querySelector('button')?.click());
  await page.getByRole('button').click();
  const { outcomes } = await session.run([command!], { worker: 'second' });
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(outcomes[0]?.message).toContain('The page has seen its event.');
  expect(await session.page('second').title()).toBe('/own-clicks!!');
});

test('a click that only got to its press is not repeated: the page may act on that', async () => {
  const session = await on(stage.page('/presses', `<button onmousedown="document.title += '!'">Add one</button>`));
  const page = session.page();
  const [command] = session.plan([ADD]);
  await intended(session, command!);
  await arm(session, command!.commandId);
  await page.getByRole('button').hover();
  await page.mouse.down();
  const { outcomes } = await session.run([command!], { worker: 'second' });
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(await session.page('second').title()).toBe('/presses!');
});

test.each([
  [
    'that registered its listener first and stops the event',
    `for (const type of ['pointerdown', 'mousedown', 'click'])
       addEventListener(type, (event) => { event.stopImmediatePropagation(); if (type === 'click') document.title += '!'; }, true);`,
  ],
  [
    'that lets nobody else listen',
    `addEventListener('click', () => { document.title += '!'; }, true); window.addEventListener = () => {};`,
  ],
])('a click that was delivered to a page %s is unknown and not repeated', async (_, script) => {
  const session = await on(stage.page('/starves', `<script>${script}</script><button>Add one</button>`));
  const [command] = session.plan([ADD]);
  await intended(session, command!);
  await arm(session, command!.commandId);
  await session.page().getByRole('button').click();
  const { outcomes } = await session.run([command!], { worker: 'second' });
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(outcomes[0]?.message).toContain('The page has seen its event.');
  expect(await session.page('second').title()).toBe('/starves!');
});

test('a press that a frame got which had moved under the pointer is unknown and not repeated', async () => {
  const inner = `<body style="margin:0"><button style="width:300px;height:200px" onclick="document.title += 1">Inner</button>`;
  const session = await on(
    stage.page(
      '/moves',
      `<body style="margin:0"><iframe srcdoc='${inner}' style="border:0;margin-top:400px"></iframe>`,
    ),
  );
  const page = session.page();
  const [command] = session.plan([a('CLICK_POINT', { x: 100, y: 100 })]);
  await intended(session, command!);
  await armPoint(page, command!, 100, 100);
  await page.evaluate(() => document.querySelector('iframe')!.style.setProperty('margin-top', '0'));
  await page.mouse.click(100, 100);
  expect((await session.run([command!], { worker: 'second' })).outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(await session.page('second').frames()[1]!.title()).toBe('1');
});

test('a key press that closed its own page was pressed once: unknown, or done where Chrome answered', async () => {
  const opener = `<a target="_blank" rel="opener" href="${stage.page('/popup', POPUP)}">Open</a>`;
  const session = await on(stage.page('/opener', opener));
  await session.did([a('CLICK_ELEMENT', { selector: 'text=Open' }), a('SWITCH_TAB', { tab: 'last' })]);
  // A key that comes before the page is there closes nothing.
  await session.did([a('WAIT_FOR', { text: 'Press a key' })]);
  const [command] = session.plan([a('PRESS_KEY', { key: 'Enter' })]);
  const { outcomes } = await session.run([command!]);
  expect(['unknown', 'done']).toContain(outcomes[0]?.status);
  expect((await session.run([command!], { worker: 'second' })).outcomes).toMatchObject(outcomes);
  expect(await session.page('second').title()).toBe('/opener!');
});

test('no commit of a step acts while an earlier one is open: that is resolved first, and judged', async () => {
  const session = await on('/parts/counter');
  const [left] = session.plan([a('PRESS_KEY', { key: 'Enter', selector: 'role=button[name="Add one"]' })]);
  await intended(session, left!);
  await session.page().getByRole('button', { name: 'Add one' }).press('Enter');
  const { outcomes } = await session.run([ADD], { worker: 'second', turn: 1 });
  expect(outcomes).toMatchObject([{ status: 'skipped' }]);
  const [entry] = (await session.journal()).filter(({ commandId }) => commandId === left!.commandId);
  expect(entry).toMatchObject({ status: 'unknown', evidence: { kind: 'unobserved' } });
  expect(session.count()).toBe(1);
});

test('a key press in a frame is not repeated although the page around it got no event', async () => {
  const session = await on('/parts/iframe');
  const [command] = session.plan([a('PRESS_KEY', { key: 'Enter' })]);
  await session.page().frameLocator('iframe').locator('#press').focus();
  await session.did([command!]);
  // As if the worker had died between the act and its outcome.
  await intended(session, command!);
  expect((await session.run([command!], { worker: 'second' })).outcomes).toMatchObject([{ status: 'unknown' }]);
});

/** A menu whose item counts in the title how often it was chosen. */
const MENU = `<button id="more" aria-haspopup="menu" aria-expanded="false" onclick="menu.hidden = !menu.hidden; ariaExpanded = !menu.hidden">More</button>
  <div id="menu" role="menu" hidden><div role="menuitem" onclick="document.title += '!'">Pay</div></div>`;

test.each([
  ['that was open when its worker died gets its item clicked once', false, 'done', '/menu!'],
  ['whose item was clicked when its worker died is unknown', true, 'unknown', '/menu!'],
])('a menu %s', async (_, isClicked, status, title) => {
  const session = await on(stage.page('/menu', MENU));
  const page = session.page();
  const [command] = session.plan([a('CHOOSE_MENU_ITEM', { selector: '#more', path: ['Pay'] })]);
  await intended(session, command!);
  await findTarget(session.attachment(), command!, '#more', 1000, new AbortController().signal);
  await page.getByRole('button').click();
  await rearm(page, command!);
  if (isClicked) await page.getByRole('menuitem').click();
  expect((await session.run([command!], { worker: 'second' })).outcomes).toMatchObject([{ status }]);
  expect(await session.page('second').title()).toBe(title);
});

test('a repeatable command is repeated after its worker died', async () => {
  const session = await on('/parts/form');
  const [command] = session.plan([a('INPUT_TEXT', { selector: '#name', text: 'Ada' })]);
  await intended(session, command!);
  await session.did([command!], { worker: 'second' });
  expect(await session.page('second').inputValue('#name')).toBe('Ada');
});

/** What the session's Chromes have sent to this address, as the keeper saw it. */
const requestsTo = (session: StagedSession, url: string): string[] =>
  stage
    .browsers()
    .evidence({ sessionId: session.sessionId })
    .requests.filter((request) => request.url.startsWith(url))
    .map(({ method }) => method);

test('an address that was opened when its worker died is not opened again: a GET may have an effect', async () => {
  const session = await on('/parts/form');
  const url = stage.page('/order-by-link', '<h1>Ordered</h1>');
  const [command] = session.plan([a('OPEN_PAGE', { url })]);
  await intended(session, command!);
  await session.page().goto(url);
  await session.did([command!], { worker: 'second' });
  expect(requestsTo(session, url)).toEqual(['GET']);
  const entry = await session.lastEntry();
  expect(entry).toMatchObject({ status: 'done', attempts: 1 });
  expect(requestsIn(entry.evidence)).toContainEqual(expect.objectContaining({ method: 'GET', status: 200 }));
});

test('a selection that submitted its form when its worker died is unknown, and is not made again', async () => {
  const sent = stage.page('/chosen', '<h1>Thank you</h1>');
  const list = '<select name="size" onchange="form.submit()"><option>S<option>M</select>';
  const session = await on(stage.page('/chooser', `<form action="/chosen">${list}</form>`));
  const [command] = session.plan([a('SELECT_OPTION', { selector: 'select', option: 'M' })]);
  await intended(session, command!);
  await session.page().selectOption('select', 'M');
  await session.page().waitForURL(`${sent}?size=M`);
  const { outcomes } = await session.run([command!, ...session.plan([a('GET_DOM')])], { worker: 'second' });
  expect(outcomes).toMatchObject([{ status: 'unknown', code: 'TL004' }, { status: 'skipped' }]);
  expect(outcomes[0]?.message).toContain(`GET ${sent}?size=M 200`);
  expect(requestsTo(session, sent)).toEqual(['GET']);
});

test('text whose page sent it off when its worker died is not typed again', async () => {
  const sending = `oninput="fetch('/saved', { method: 'POST', body: value })"`;
  const session = await on(stage.page('/saves-as-you-type', `<input aria-label="Note" ${sending}>`));
  const [command] = session.plan([a('INPUT_TEXT', { selector: 'input', text: 'pay 10' })]);
  await intended(session, command!);
  await session.page().fill('input', 'pay 10');
  await session.did([command!], { worker: 'second' });
  expect(requestsTo(session, new URL('/saved', session.page('second').url()).href)).toEqual(['POST']);
  expect(await session.lastEntry()).toMatchObject({ status: 'done', attempts: 1 });
});

test.each([
  ['whose page sent nothing is typed', '', { status: 'done' }, 'pay 10'],
  [
    'whose page sent something is not typed',
    `oninput="fetch('/sent-unwatched').then(() => (value = ''))"`,
    { status: 'failed', code: 'EX001' },
    '',
  ],
])('text of a time that nobody watched %s after its worker died', async (_, sending, outcome, value) => {
  const session = await on(stage.page('/unwatched', `<input aria-label="Note" ${sending}>`));
  const [command] = session.plan([a('INPUT_TEXT', { selector: 'input', text: 'pay 10' })]);
  await intended(session, command!);
  const page = session.page();
  if (sending !== '') {
    await page.fill('input', 'pay 10');
    await eventually('it was sent', async () => (await page.inputValue('input')) === '');
  }
  await stage.restartKeeper();
  const { outcomes } = await session.run([command!], { worker: 'second' });
  expect(outcomes).toMatchObject([outcome]);
  expect(await session.page('second').inputValue('input')).toBe(value);
});

test('a click that a stopped Chrome had not read at a takeover is delivered once, and not sent again', async () => {
  const session = await on('/parts/counter');
  const [command] = session.plan([ADD]);
  const { pid } = stage
    .browsers()
    .list()
    .find(({ sessionId }) => sessionId === session.sessionId)!;
  const { x, y } = (await session.page().getByRole('button', { name: 'Add one' }).boundingBox())!;
  await intended(session, command!);
  await arm(session, command!.commandId);
  await freeze(pid);
  const first = session.attachment();
  void first.page.mouse.click(x + 2, y + 2).catch(() => {});
  const { outcomes } = await session.run([command!], {
    worker: 'second',
    timeoutMs: 30_000,
    whileRunning: async () => {
      await eventually('the first is cut off', () => !first.isConnected);
      process.kill(pid, 'SIGCONT');
    },
  });
  expect(outcomes).toMatchObject([{ status: 'unknown' }]);
  expect(outcomes[0]?.message).toContain('POST');
  expect(session.count()).toBe(1);
});

/** Leaves the mark of a click the way a worker does that dies just before it clicks. */
async function arm(session: StagedSession, commandId: string): Promise<void> {
  const command = { commandId, ...ADD };
  await findTarget(session.attachment(), command, ADD.parameters.selector!, 1000, new AbortController().signal);
}
