/** The list of sessions in a real Chromium, on the real API and database. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AgentEventType } from '../../contracts/agents/agent-event';
import { CommandStatus } from '../../contracts/commands/commands';
import { EVENTS } from '../../contracts/events/event-definitions';
import type { NewRecord } from '../../contracts/events/log';
import type { StreamEventType } from '../../contracts/events/stream-event';
import { SessionStatus } from '../../contracts/sessions/session';
import { connect } from '../../store/database/connect';
import { addTime, noTimes } from '../../web/session/phases';
import { aSession, endSession } from '../api/fixture';
import { violations } from './axe';
import { PAGE_KEY, startPageStage, type PageStage } from './page-stage';

let stage: PageStage;
let address: string;
beforeAll(async () => {
  stage = await startPageStage();
  address = await stage.at();
}, 60_000);
afterAll(() => stage.stop());

const MARKUP = `<img src=x onerror="document.title='owned'"> & "quoted"`;

test('the list finds, filters and sorts by its address, and shows what happens by itself', async () => {
  const wanted = await aSession(stage.store, { name: MARKUP, steps: ['Open http://127.0.0.1/one', 'Click "Buy"'] });
  const other = await aSession(stage.store, { steps: ['Wait for 100% of it'] });
  const page = await stage.open(address);
  const row = page.getByRole('listitem').filter({ hasText: MARKUP });
  await row.getByText('Starting').waitFor();
  await endSession(stage.store, wanted);
  await row.getByText('Completed').waitFor();
  expect(await row.innerText()).toContain('2 steps');

  await page.keyboard.press('/');
  await page.keyboard.type('100% of');
  await page.getByText('1 session', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=100%25+of');
  expect(await page.getByRole('listitem').innerText()).toContain(other.slice(0, 8));

  await page.goto(`${address}/?show=completed&q=${wanted.slice(0, 8)}&sort=name`);
  await row.waitFor();
  await page.getByRole('button', { name: 'Failed' }).click();
  await page.getByText('No session fits').waitFor();
  expect(new URL(page.url()).searchParams.get('show')).toBe('failed');
  await page.goBack();
  await row.waitFor();
  expect(await page.title()).toMatch(/Sessions · Surefoot$/);
});

test('ten thousand sessions are listed and scrolled to their end with few rows drawn', async () => {
  const id = await aSession(stage.store, { steps: ['Look'], tenant: 'many' });
  const sql = connect(stage.databaseUrl);
  await sql`
    insert into sessions (session_id, workflow_id, status, closed, executor_session_id, stream_id, ai_connection_id, plan, created_at)
    select gen_random_uuid(), gen_random_uuid(), 'COMPLETED', true, 'x', 'x', 'x',
      jsonb_set(plan, '{name}', to_jsonb('Number ' || n)), now() - n * interval '1 minute'
    from sessions, generate_series(1, 10000) n where session_id = ${id}`;
  const page = await stage.open(`${address}/?show=completed&q=Number`);
  await page.getByText(`${(10_000).toLocaleString('en-US')} sessions`).waitFor();
  await page.keyboard.press('End');
  await page.getByText('Number 10000', { exact: true }).waitFor();
  expect(await page.getByRole('listitem').count()).toBeLessThan(60);
  await sql`delete from sessions where plan->>'name' like 'Number %'`;
  await sql.end();
}, 60_000);

test('the limits of a session, and what they are in Temporal, are shown on demand', async () => {
  const id = await aSession(stage.store, { steps: ['Look'], config: { timeouts: { stepTimeoutMs: 61_000 } } });
  const page = await stage.open(`${address}/sessions/${id}`);
  const limits = page.getByRole('region', { name: 'Limits' });
  await limits.getByText('Limits', { exact: true }).click();
  expect(await limits.innerText()).toMatch(/stepTimeoutMs\s+61 s of active time/);
  expect(await limits.innerText()).toMatch(/decide, runModelTurn\s+to engine: one try 4 × /);
  expect(await violations(page)).toEqual([]);
});

/** A record of the first step, so many seconds after the session began. */
function recordAt(seconds: number, type: StreamEventType, data: NewRecord['data']): NewRecord {
  const at = new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000).toISOString();
  return { eventId: `${type}/${seconds}`, owner: EVENTS[type].owners[0]!, type, at, stepIndex: 0, data };
}

test('the time of a session is that of its model, browser, people, pauses and queue', () => {
  const times = noTimes();
  const command = { commandId: 'a', action: 'CLICK_ELEMENT', parameters: {}, status: CommandStatus.EXECUTING } as const;
  const log = [
    recordAt(0, 'WORKFLOW_STARTED', {}),
    recordAt(1, 'SESSION_STATUS', { details: { status: 'ACTIVE', waitingFor: 'browser' } }),
    recordAt(9, 'SESSION_STATUS', { details: { status: 'ACTIVE', waitedMs: 8000 } }),
    recordAt(12, 'AI_REASONING', {}),
    recordAt(12.5, 'COMMAND_STARTED', { command }),
    recordAt(20, 'COMMAND_COMPLETED', { command }),
    recordAt(21, 'SESSION_STATUS', { details: { status: 'PAUSED', pausedFor: 'approval' } }),
    recordAt(51, 'SESSION_STATUS', { details: { status: 'ACTIVE' } }),
    recordAt(51, 'COMMAND_STARTED', { details: { toolName: 'mail' } }),
    recordAt(53, 'COMMAND_COMPLETED', { details: { toolName: 'mail' } }),
    recordAt(53, 'WORKFLOW_PAUSED', { details: { pausedFor: 'operator' } }),
    recordAt(153, 'SESSION_STATUS', { details: { status: 'PAUSED' } }),
    recordAt(653, 'WORKFLOW_RESUMED', {}),
  ];
  for (const { at, eventId, ...event } of log)
    addTime(times, {
      ...event,
      type: event.type as StreamEventType,
      id: eventId,
      timestamp: new Date(at),
      sessionId: 's',
    });
  expect(times.spentMs).toEqual({
    model: 3000,
    browser: 8000,
    tools: 2000,
    people: 30_000,
    paused: 600_000,
    queued: 8000,
    engine: 2000,
  });
});

test('a session shows what a model is writing, where a value was read, and where the time went', async () => {
  const sessionId = await aSession(stage.store, { steps: ['Save the total'] });
  await stage.store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
  const delta = (seconds: number, text: string) =>
    recordAt(seconds, 'AI_RESPONSE_RECEIVED', { details: { callId: 'call', delta: text, chunk: seconds } });
  const page = await stage.open(`${address}/sessions/${sessionId}#sign-in=${PAGE_KEY}`);
  await stage.store.log.append(sessionId, [
    recordAt(0, 'STEP_STARTED', {}),
    delta(2, '{"reasoning": {"analysis": "I see a \\u20'),
  ]);
  const writing = page.getByText('The model is writing: I see a');
  await writing.waitFor();
  await stage.store.log.append(sessionId, [delta(4, 'ac total \\"of')]);
  await page.getByText('The model is writing: I see a € total "of', { exact: true }).waitFor();

  const sql = connect(stage.databaseUrl);
  await sql`insert into variables (session_id, name, value, source, step_index) values (${sessionId}, 'total', '99 €', 'extracted', 0)`;
  await sql.end();
  await stage.store.results.save(sessionId, {
    stepIndex: 0,
    isComplete: true,
    value: { price: 98 },
    schema: {},
    rows: { seen: 0, returned: 0 },
    pages: [],
    sources: [{ path: '/price', url: 'http://shop.test/item', selector: '#price', text: '98.00' }],
    missing: [],
  });
  const seen = { sessionId, timestamp: new Date() };
  const variable = { ...seen, name: 'total', value: '99 €', source: 'extracted' as const };
  const command = {
    commandId: 'read',
    action: 'SAVE_VARIABLE' as const,
    parameters: { selector: 'b', variableName: 'total' },
    status: CommandStatus.COMPLETED,
  };
  await stage.store.log.append(sessionId, [
    recordAt(5, 'PAGE_NAVIGATED', { page: { ...seen, url: 'http://shop.test/cart', title: 'Cart' } }),
    recordAt(6, 'AI_REASONING', { reasoning: { thought: 'Done.', confidence: 1, reasoningType: 'plan' } }),
    recordAt(6.5, 'COMMAND_STARTED', { command }),
    recordAt(36.4, 'VARIABLE_UPDATED', { variable }),
    recordAt(36.5, 'COMMAND_COMPLETED', { command }),
    recordAt(37, 'WORKFLOW_PAUSED', { details: { pausedFor: 'operator' } }),
    recordAt(637, 'WORKFLOW_RESUMED', {}),
  ]);
  const times = page.getByRole('list', { name: 'Where the time went' });
  // The database says when: of such a log next to nothing was waited for.
  await times.getByText('browser').waitFor();
  expect(await writing.count()).toBe(0);
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText(/^from step 1, http:\/\/shop\.test\/cart, SAVE_VARIABLE /).waitFor();
  await result.getByText('Where each value was read').click();
  await result.getByRole('cell', { name: 'http://shop.test/item' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await endSession(stage.store, sessionId);
});

test('what the model of a task thinks is shown while it writes, and is a line once it is complete', async () => {
  const sessionId = await aSession(stage.store, { name: 'A task', steps: [{ task: 'Find the total' }] });
  await stage.store.log.append(sessionId, [], { patch: { status: SessionStatus.ACTIVE } });
  const page = await stage.open(`${address}/sessions/${sessionId}`);
  await page.getByRole('heading', { name: 'A task' }).waitFor();
  const thinking = (content: string): NewRecord => ({
    eventId: content,
    owner: 'ai-integration',
    type: AgentEventType.ResponseChunkThinkingDelta,
    at: new Date().toISOString(),
    stepIndex: 0,
    turn: 0,
    data: {},
    facts: { kind: 'thinking', content, chunkIdx: 0 },
  });
  await stage.store.log.append(sessionId, [thinking('The cart '), thinking('first.')]);
  const words = page.getByText('The model is writing: The cart first.', { exact: true });
  await words.waitFor();
  const reasoning = { thought: 'The cart first.', confidence: 1, reasoningType: 'analysis' as const };
  const facts = { kind: 'thinking', content: reasoning.thought, chunkIdx: 0 } as const;
  await stage.store.log.append(sessionId, [{ ...recordAt(1, 'AI_REASONING', { reasoning }), turn: 0, facts }]);
  await page.getByText('confidence 1').waitFor();
  await words.waitFor({ state: 'detached' });
  expect(await page.getByText('The cart first.').count()).toBe(1);
  const end = { message: 'It is 99 €.', details: { calls: [], evidence: 'Total 99 €' } };
  await stage.store.log.append(sessionId, [{ ...recordAt(2, 'AI_RESPONSE_RECEIVED', end), turn: 1 }]);
  await page.getByText('evidence: Total 99 €', { exact: true }).waitFor();
  await page.getByText('It is 99 €.', { exact: true }).waitFor();
  await endSession(stage.store, sessionId);
});

test('with a token the page asks for it, and only a cookie that no script reads stays', async () => {
  const token = 'a-token-of-enough-characters';
  const own = await stage.at({ token });
  const page = await stage.open(own);
  await page.getByLabel('Token of this API').fill('a-guess');
  await page.keyboard.press('Enter');
  await page.getByText('Expected the token of this API').waitFor();
  await page.getByLabel('Token of this API').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox').waitFor();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  expect(cookie!.value).not.toContain(token);
  const kept = await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length]);
  expect(kept).toEqual(['', 0, 0]);
  const isForged = `${own}/v1/sessions`;
  const forged = { cookie: `${cookie!.name}=${Date.now() + 1e6}.${cookie!.value.split('.')[1]}` };
  expect((await fetch(isForged, { headers: forged })).status).toBe(401);
  // Cookies do not know ports: the same browser on a page of another port.
  const shared = { cookie: `${cookie!.name}=${cookie!.value}`, 'sec-fetch-site': 'same-site' };
  expect((await fetch(isForged, { headers: shared })).status).toBe(401);
});

test('without a token a page looks, and acts only after it was opened by the key of the stack', async () => {
  const cancel = (page: Awaited<ReturnType<PageStage['open']>>) =>
    page.evaluate(async (id) => (await fetch(`/v1/sessions/${id}/cancel`, { method: 'POST' })).status, 'x'.repeat(8));
  const looking = await stage.open(address);
  await looking.getByText('You can look, but not act.').waitFor();
  expect(await cancel(looking)).toBe(403);
  const wrong = await stage.open(`${address}/#sign-in=another-key`);
  await wrong.getByText('Expected the key that the start of the stack has printed').waitFor();
  expect(await cancel(wrong)).toBe(403);

  const acting = await stage.open(`${address}/#sign-in=${PAGE_KEY}`);
  await acting.getByRole('searchbox').waitFor();
  expect(acting.url()).toBe(`${address}/`);
  expect(await acting.getByText('You can look').count()).toBe(0);
  expect(await cancel(acting)).toBe(404);
  const [cookie] = await acting.context().cookies();
  const elsewhere = { cookie: `${cookie!.name}=${cookie!.value}`, origin: 'http://127.0.0.1:4000' };
  const refused = await fetch(`${address}/v1/sessions/x/cancel`, { method: 'POST', headers: elsewhere });
  expect(refused.status).toBe(403);
});

test('axe finds nothing against the list, wide and narrow', async () => {
  const failed = await aSession(stage.store, { steps: ['Pay'] });
  await endSession(stage.store, failed, SessionStatus.FAILED);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await stage.open(address, { viewport, reducedMotion: 'reduce' });
    await page.getByText('Failed').first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
});

test('the first view has less than 150 KB of script, and its policy is kept', () => {
  const folder = join(__dirname, '..', '..', 'dist', 'web');
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const scripts = [...html.matchAll(/(?:src|href)="\/(page\/[^"]+\.js)"/g)].map(([, name]) => name!);
  expect(scripts.length).toBeGreaterThan(0);
  const bytes = scripts.reduce((sum, name) => sum + readFileSync(join(folder, `${name}.br`)).length, 0);
  expect(bytes).toBeLessThan(150_000);
  expect(html).not.toMatch(/https?:|<script(?! type="module" crossorigin src=)/);
  expect(readdirSync(join(folder, 'page')).some((name) => name.endsWith('.map'))).toBe(false);
  // Requests that a test made fail on purpose are errors to a browser too.
  expect(stage.errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
});
