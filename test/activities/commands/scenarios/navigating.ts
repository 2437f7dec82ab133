import type { RequestListener } from 'node:http';
import type { Scenario } from './scenario';

const answers =
  (status: number, headers: Record<string, string>, body = ''): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
/** Never answers. */
const hangs: RequestListener = () => undefined;

export const navigating: Scenario[] = [
  {
    title: 'an address is opened, and the answer names the page that it led to',
    async run({ serve, use, page }) {
      const url = serve('/hello', '<title>Hello</title><h1>Hello, world</h1>');
      const text = await use('navigate', { url });
      expect(text).toContain('Hello');
      expect(page().url()).toBe(url);
    },
  },
  ...[
    [402, 'Payment Required'],
    [404, 'Not Found'],
    [500, 'Internal Server Error'],
  ].map(([status, phrase]): Scenario => ({
    title: `a page that is answered with ${status} is open all the same, and the answer says ${status}`,
    async run({ serve, use, read }) {
      const url = serve(`/status-${status}`, answers(Number(status), {}, `<title>Sorry</title><h1>${phrase}</h1>`));
      expect(await use('navigate', { url })).toContain(String(status));
      expect(await read()).toContain(String(phrase));
    },
  })),
  {
    title: 'a page that is answered with 200 has no word about its status',
    async run({ serve, use }) {
      expect(await use('navigate', { url: serve('/fine', '<title>Fine</title>') })).not.toMatch(/200|status/i);
    },
  },
  ...[
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,<h1>Hi</h1>',
    'chrome://version',
    'view-source:http://x.test',
  ].map((address): Scenario => ({
    title: `${address} is refused, and the page stays`,
    html: '<h1>Here</h1>',
    async run({ use, page, url }) {
      expect(await use('navigate', { url: address })).toMatch(
        /is no address that can be opened: give an absolute http/,
      );
      expect(page().url()).toBe(url);
    },
  })),
  {
    title: 'the query of an address arrives as it is written',
    async run({ serve, use, page }) {
      const url = `${serve('/query', '<p>here')}?a=1&b=two%20words&c=%26`;
      await use('navigate', { url });
      expect(page().url()).toBe(url);
    },
  },
  {
    title: 'an address that leads on is followed, and the answer has the page at its end',
    async run({ serve, use, page }) {
      const end = serve('/led-to', '<title>The end</title>');
      expect(await use('navigate', { url: serve('/leads', answers(302, { location: end })) })).toContain('The end');
      expect(page().url()).toBe(end);
    },
  },
  {
    title: 'a page is open although a picture of it never comes',
    async run({ serve, use, read }) {
      const picture = serve('/never.png', hangs);
      const url = serve('/with-picture', `<h1>Ready</h1><img src="${picture}" alt="Late">`);
      expect(await use('navigate', { url })).not.toMatch(/^Error/);
      expect(await read()).toContain('Ready');
    },
  },
  {
    title: 'the history is walked back to a page whose picture never comes, and forward again',
    async run({ serve, use, page }) {
      const picture = serve('/never.png', hangs);
      const first = serve('/first', `<title>First</title><img src="${picture}">`);
      const second = serve('/second', '<title>Second</title>');
      await use('navigate', { url: first });
      await use('navigate', { url: second });
      expect(await use('navigate', { url: 'back' })).toContain('First');
      expect(page().url()).toBe(first);
      expect(await use('navigate', { url: 'forward' })).toContain('Second');
      expect(page().url()).toBe(second);
    },
  },
  {
    title: 'there is nothing to go back to from the first page, which is an error that says so',
    isAlone: true,
    async run({ use, page }) {
      await use('navigate', { url: 'back' });
      const text = await use('navigate', { url: 'back' });
      expect(text).toMatch(/^Error: There is no page to go back to/);
      expect(page().isClosed()).toBe(false);
    },
  },
  {
    title: 'a page is loaded again, and what was typed is lost',
    html: '<label>Name <input></label>',
    async run({ fill, use, value }) {
      await fill('Name', 'Ada');
      expect(await use('reload')).not.toMatch(/^Error/);
      expect(await value('document.querySelector("input").value')).toBe('');
    },
  },
  {
    title: 'an address that brings a file downloads it, and the page stays usable',
    html: '<h1>Still here</h1>',
    async run({ serve, call, read }) {
      const url = serve(
        '/report.csv',
        answers(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="report.csv"' }, 'a;b'),
      );
      const { text } = await call('navigate', { url });
      expect(text).toMatch(/report\.csv/);
      expect(await read()).toContain('Still here');
    },
  },
  {
    title: 'an address at which nobody answers is an error that names it, and the next one opens',
    async run({ serve, use }) {
      const url = 'http://127.0.0.1:9/nobody';
      expect(await use('navigate', { url })).toMatch(/^Error: .*127\.0\.0\.1:9/s);
      expect(await use('navigate', { url: serve('/after', '<title>After</title>') })).toContain('After');
    },
  },
  {
    title: 'a click whose script leaves the page a moment later is answered with the page that it led to',
    async run({ serve, call, click }) {
      const goal = serve('/goal', '<title>Goal</title><h1>Arrived</h1>');
      const url = serve('/leaver', `<button onclick="setTimeout(() => location.href = '${goal}', 50)">Leave</button>`);
      await call('navigate', { url });
      await click('Leave');
      expect((await call('wait', { text: 'Arrived', seconds: 5 })).text).toContain('is there');
    },
  },
  {
    title: 'a page without anything is open, and is shown as empty',
    async run({ use, page }) {
      expect(await use('navigate', { url: 'about:blank' })).not.toMatch(/^Error/);
      expect(page().url()).toBe('about:blank');
    },
  },
];
