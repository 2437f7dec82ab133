import { html } from 'hono/html';
import type { Visitor } from './visitors';

/** Markup whose inserted values are escaped. */
export type Html = ReturnType<typeof html>;

interface Shell {
  title: string;
  visitor?: Visitor;
  body: Html;
}

/** The layout of every page; the navigation shows after sign-in. */
export function layout({ title, visitor, body }: Shell): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Surefoot Supply</title>
        <link rel="stylesheet" href="/shop.css" />
      </head>
      <body>
        <header class="top">
          <a class="brand" href="/">Surefoot Supply</a>
          ${visitor?.user === undefined ? '' : navigation(visitor, visitor.user)}
        </header>
        <main>${body}</main>
      </body>
    </html>`;
}

function navigation(visitor: Visitor, user: string): Html {
  return html`<nav aria-label="Main">
    <a href="/cart">Cart (${visitor.cart.length})</a>
    <a href="/orders">Orders</a>
    <span class="who">Signed in as ${user}</span>
    <form method="post" action="/logout"><button class="plain">Sign out</button></form>
  </nav>`;
}
