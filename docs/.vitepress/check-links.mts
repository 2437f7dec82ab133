import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Rejects a site with a link to an anchor that no page has. VitePress itself rejects links to pages that are not there. */
export function assertLinks(folder: string, base: string): void {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => ({ file, html: readFileSync(join(folder, file), 'utf8') }));
  const anchors = new Map(pages.map(({ file, html }) => [toPath(file), new Set(matches(html, / id="([^"]+)"/g))]));
  const dead = pages.flatMap(({ file, html }) =>
    matches(html, /<a [^>]*?href="([^"]*#[^"]+)"/g).flatMap((href) => {
      const [path = '', anchor = ''] = href.split('#');
      const target = path === '' ? toPath(file) : path.startsWith(base) ? path.slice(base.length) : undefined;
      const isDead = target !== undefined && anchors.get(target)?.has(decodeURIComponent(anchor)) !== true;
      return isDead ? [`${relative('.', file)}: ${href}`] : [];
    }),
  );
  if (dead.length > 0) throw new Error(`These links lead to no heading:\n${[...new Set(dead)].join('\n')}`);
}

function toPath(file: string): string {
  return file.replaceAll('\\', '/').replace(/(^|(?<=\/))index\.html$|\.html$/, '');
}

function matches(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map((match) => match[1]!);
}
