import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

const DOCS = dirname(import.meta.dirname);

/** The groups of the site with their pages, in reading order. */
const GROUPS: Record<string, readonly string[]> = {
  Start: ['index', 'tutorial'],
  Guides: [
    'package',
    'ci',
    'temporal-teams',
    'mcp',
    'own-tools',
    'agents',
    'results',
    'webhooks',
    'files',
    'models',
    'rules-grammar',
    'recipes',
    'evaluation',
    'relay',
  ],
  'How it works': ['architecture', 'tools', 'security', 'event-formats', 'timeouts', 'glossary', 'benchmarks'],
  Running: ['cli', 'operations', 'upgrades', 'extending'],
};
const GENERATED_GROUPS = { Reference: 'reference', Decisions: 'decisions' };

/** The title of a page is its first heading. */
function itemOf(page: string): DefaultTheme.SidebarItem {
  const text = /^# (.+)$/m.exec(readFileSync(join(DOCS, `${page}.md`), 'utf8'))?.[1];
  if (text === undefined) throw new Error(`docs/${page}.md has no heading “# …”, which is its title on the site.`);
  return { text: text.replaceAll('`', ''), link: page === 'index' ? '/' : `/${page}` };
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(DOCS, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3));
}

const listed = Object.values(GROUPS).flat();
const unlisted = pagesIn('.').filter((page) => page !== 'conformance' && !listed.includes(page));
if (unlisted.length > 0)
  throw new Error(`docs/.vitepress/sidebar.mts lists no ${unlisted.join(', ')}; add it to a group.`);

export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  ...Object.entries(GROUPS).map(([text, pages]) => ({ text, items: pages.map(itemOf) })),
  ...Object.entries(GENERATED_GROUPS).map(([text, folder]) => ({
    text,
    collapsed: true,
    items: pagesIn(folder).map((page) => itemOf(`${folder}/${page}`)),
  })),
];
