import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { formText } from './form-text';
import { layout, type Html } from './layout';
import type { ShopEnv } from './visitors';

const ACCOUNT = { user: 'ada', password: 'lovelace' };

/** Redirects visitors who are not signed in to /login, which leads back here. */
export const requireSignIn: MiddlewareHandler<ShopEnv> = async function requireSignIn(c, next) {
  if (c.get('visitor').user !== undefined) return next();
  const { pathname, search } = new URL(c.req.url);
  const back = c.req.method === 'GET' && pathname !== '/' ? `?next=${encodeURIComponent(pathname + search)}` : '';
  return c.redirect(`/login${back}`, 303);
};

export function signInRoutes(): Hono<ShopEnv> {
  return new Hono<ShopEnv>()
    .get('/login', (c) => c.html(signInPage({ next: localPath(c.req.query('next')) })))
    .post('/login', async (c) => {
      const { username, password, next } = await c.req.parseBody();
      const back = localPath(next);
      if (username !== ACCOUNT.user || password !== ACCOUNT.password) {
        return c.html(signInPage({ next: back, username: formText(username), isRefused: true }), 401);
      }
      c.get('visitor').user = ACCOUNT.user;
      return c.redirect(back, 303);
    })
    .post('/logout', (c) => {
      c.get('visitor').user = undefined;
      return c.redirect('/login', 303);
    });
}

/** Returns a path on this site: `//other` would lead to another host. */
function localPath(next: unknown): string {
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : '/';
}

function signInPage({
  next,
  username = '',
  isRefused = false,
}: {
  next: string;
  username?: string;
  isRefused?: boolean;
}): Html {
  return layout({
    title: 'Sign in',
    body: html`<section class="card narrow">
      <h1>Sign in</h1>
      ${isRefused ? html`<p class="alert" role="alert">Wrong user name or password</p>` : ''}
      <form method="post" action="/login" class="stack">
        <input type="hidden" name="next" value="${next}" />
        <label for="username">Username</label>
        <input id="username" name="username" value="${username}" autocomplete="username" />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" />
        <button>Sign in</button>
      </form>
    </section>`,
  });
}
