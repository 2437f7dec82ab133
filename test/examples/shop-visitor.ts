type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };
export type Fetch = (path: string, init?: Init) => Response | Promise<Response>;

/** A browser in small: keeps the cookie, does not follow redirects. */
export function createVisitor(fetchPage: Fetch) {
  let cookie = '';
  async function ask(path: string, init: Init = {}): Promise<Response> {
    const answer = await fetchPage(path, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } });
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return answer;
  }
  const post = (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> => ask(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  return {
    get: (path: string) => ask(path),
    text: async (path: string) => (await ask(path)).text(),
    post,
    signIn: () => post('/login', { username: 'ada', password: 'lovelace' }),
    async fillCart() {
      await post('/cart', { slug: 'trail-shoe', size: 'M', quantity: '2' });
      return orderForm(/name="nonce" value="([^"]+)"/.exec(await (await ask('/checkout')).text())?.[1] ?? '');
    },
  };
}

function orderForm(nonce: string): Record<string, string> {
  const person = { fullName: 'Ada Lovelace', address: '12 Engine Street', cardNumber: '4242 4242 4242 4242' };
  return { nonce, ...person, shipping: 'express', terms: 'yes' };
}

export const postJson = (fetchPage: Fetch, path: string, body: unknown) =>
  fetchPage(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
