import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { html, raw } from 'hono/html';
import type { FrozenSession, FrozenView } from '../../contracts/events/frozen-session';
import { compiledFolder } from '../../runtime/compiled-folder';
import { ClientError, type SessionDetails } from '../port/port';

/** The view of a session on the web page, as a function that renders it once (scripts/web.js builds it). */
interface FrozenViewModule {
  renderFrozen(json: string): FrozenView;
}

const BUNDLE = join(compiledFolder(), 'web-frozen', 'frozen-session.cjs');

/** Nothing runs, nothing is requested, nothing is sent: also where a hostile page has written the text. */
const POLICY = "default-src 'none'; img-src data:; media-src data:; base-uri 'none'; form-action 'none'";
/** The header of its answer, beside which the policy in the page allows its own style alone. */
export const REPORT_POLICY = `${POLICY}; style-src 'unsafe-inline'`;

/** Renders the whole page. React escapes every text of the view; its style goes in as it is, because its hash is in the policy. */
export async function renderReport(content: FrozenSession<SessionDetails>): Promise<string> {
  const { renderFrozen } = loadView();
  const { title, markup, style } = renderFrozen(JSON.stringify(content));
  const hash = createHash('sha256').update(style).digest('base64');
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}; style-src 'sha256-${hash}'" />
        <meta name="referrer" content="no-referrer" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        ${raw(markup)}
      </body>
    </html>`;
  return (await page).toString();
}

function loadView(): FrozenViewModule {
  try {
    return createRequire(__filename)(BUNDLE) as FrozenViewModule;
  } catch (cause) {
    const message = 'The view of a session is not built, which a report is made of: run `npm ci` and `npm run build`.';
    throw new ClientError('unavailable', 'SP002', message, { cause });
  }
}
