/**
 * The tools of the browser in the situations in which Playwright's MCP server is tested, where its tools and ours mean the
 * same: on pages in a real Chrome, with the plan, journal and result that a model's calls have.
 */
import { createServer, type RequestListener } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolRegistry } from '../../../activities/engine/tools/port';
import { openBrowserStage, type BrowserStage } from '../../support/browser-harness';
import type { StagedSession } from '../../support/browser-session';
import { aToolRegistry } from '../../support/engine-tools';
import { refOf, toolCaller } from '../../support/tool-caller';
import { asking } from './scenarios/asking';
import { clicking } from './scenarios/clicking';
import { choosing, filling } from './scenarios/filling';
import { looking } from './scenarios/looking';
import { navigating } from './scenarios/navigating';
import { pointing } from './scenarios/pointing';
import type { Hands, Scenario } from './scenarios/scenario';
import { everyNth } from '../../support/long-run';

let stage: BrowserStage;
let toolRegistry: ToolRegistry;
let site: Awaited<ReturnType<typeof serveScenarios>>;
let shared: Driven | undefined;
const uploads = mkdtempSync(join(tmpdir(), 'surefoot-uploads-'));
beforeAll(async () => {
  writeFileSync(join(uploads, 'one.txt'), 'the first file');
  writeFileSync(join(uploads, 'two.txt'), 'the second file');
  [stage, site] = await Promise.all([openBrowserStage({ uploads }), serveScenarios()]);
  toolRegistry = aToolRegistry(stage.store, [], stage.env).toolRegistry;
});
afterAll(async () => {
  await stage.stop();
  await site.close();
  rmSync(uploads, { recursive: true, force: true });
});

interface Driven {
  session: StagedSession;
  call: ReturnType<typeof toolCaller>;
}

async function drive(): Promise<Driven> {
  const session = await stage.newSession();
  return { session, call: toolCaller(session, toolRegistry) };
}

/** Pages, and answers that are none. */
async function serveScenarios() {
  const routes = new Map<string, RequestListener>();
  const server = createServer((request, response) => {
    const route = routes.get(new URL(request.url ?? '/', 'http://site').pathname);
    if (route === undefined) response.writeHead(404).end();
    else route(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    serve(path: string, content: string | RequestListener): string {
      const page: RequestListener = (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(`<!doctype html>${String(content)}`);
      routes.set(path, typeof content === 'string' ? page : content);
      return origin + path;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let pages = 0;
async function handsOf(
  { session, call }: Driven,
  { html = '<h1>Page</h1>', limitMs: timeoutMs }: Scenario,
): Promise<Hands> {
  const folder = `/scenario-${(pages += 1)}`;
  const url = site.serve(folder, html);
  const seen: typeof call = (name, args) =>
    call(name, args, {
      screenshotsEnabled: args['action'] === 'screenshot' || args['action'] === 'zoom',
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  const use: Hands['use'] = async (name, args = {}) => (await seen(name, args)).text;
  const ref: Hands['ref'] = async (name) => refOf(await use('read_page'), name);
  await call('navigate', { url });
  return {
    url,
    serve: (path, content) => site.serve(`${folder}${path}`, content),
    call: (name, args = {}) => seen(name, args),
    use,
    read: (filter) => use('read_page', filter === undefined ? {} : { filter }),
    ref,
    click: async (name, more = {}) => await use('computer', { action: 'left_click', ref: await ref(name), ...more }),
    fill: async (name, value) => await use('form_input', { ref: await ref(name), value }),
    page: () => session.page(),
    value: (expression) => session.page().evaluate(expression),
  };
}

const GROUPS = { navigating, clicking, filling, choosing, pointing, asking, looking };

describe.each(Object.entries(GROUPS))('%s', (_group, scenarios) => {
  test.each(everyNth(2, scenarios).map((scenario) => [scenario.title, scenario] as const))(
    '%s',
    async (_title, scenario) => {
      const driven = scenario.isAlone === true ? await drive() : (shared ??= await drive());
      await scenario.run(await handsOf(driven, scenario));
      expect(driven.session.page().isClosed()).toBe(false);
      if (driven !== shared) await driven.session.release();
    },
  );
});
