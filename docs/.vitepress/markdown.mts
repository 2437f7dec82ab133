import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';

const DOCS = dirname(import.meta.dirname);
const ROOT = dirname(DOCS);
/** Pages of docs/ that are no pages of the site. */
const NOT_ON_THE_SITE = ['docs/conformance.md'];

/** The anchor that GitHub gives a heading, so that a link works in both places. */
export function asGitHub(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Shows a link to a file outside the site as its text: the site is read where the repository is not. */
export function withoutOutsideLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('outside-links', ({ tokens, env }) => {
    const page = join(DOCS, (env as MarkdownEnv).relativePath);
    for (const { children } of tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') isOutside = leavesSite(String(token.attrGet('href')), page);
        if (isOutside && (token.type === 'link_open' || token.type === 'link_close')) {
          Object.assign(token, {
            tag: 'span',
            attrs: [],
            type: token.type === 'link_open' ? 'span_open' : 'span_close',
          });
        }
      }
    }
  });
}

function leavesSite(href: string, page: string): boolean {
  if (/^([a-z]+:|#|\/)/i.test(href)) return false;
  const target = resolve(dirname(page), href.replace(/#.*$/, ''));
  const place = relative(ROOT, target);
  if (place.startsWith('docs/') && !NOT_ON_THE_SITE.includes(place)) return false;
  if (!existsSync(target)) throw new Error(`${relative(ROOT, page)} links to ${href}, and there is no ${place}.`);
  return true;
}

/** Keeps double braces of the text from Vue, which would evaluate what is between them. */
export function escapeBraces(md: MarkdownRenderer): void {
  for (const rule of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[rule]!;
    md.renderer.rules[rule] = (...given) => String(render(...given)).replaceAll('{{', '&#123;&#123;');
  }
}
