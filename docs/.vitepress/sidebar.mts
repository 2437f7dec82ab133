import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

const DOCS = dirname(import.meta.dirname);

/** The groups of the site with their pages, in reading order. */
const GROUPS: Record<string, readonly string[]> = {
  Start: ['index', 'tutorial', 'cookbook', 'errors-and-dialogs'],
  Guides: [
    'signing-in',
    'profiles',
    'results',
    'files',
    'other-browsers',
    'recipes',
    'schedules',
    'batches',
    'once',
    'web-page',
    'webhooks',
    'ci',
    'package',
    'agents',
    'own-tools',
    'mcp',
    'temporal-teams',
    'relay',
    'models',
    'evaluation',
    'rules-grammar',
    'tools',
    'event-formats',
  ],
  Running: ['production', 'security', 'operations', 'upgrades', 'timeouts', 'cli'],
};
/** Pages for who changes Surefoot, behind those of its users. */
const CONTRIBUTORS = ['architecture', 'extending', 'glossary', 'benchmarks'];

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

const listed = [...Object.values(GROUPS).flat(), ...CONTRIBUTORS];
const unlisted = pagesIn('.').filter((page) => page !== 'conformance' && !listed.includes(page));
if (unlisted.length > 0)
  throw new Error(`docs/.vitepress/sidebar.mts lists no ${unlisted.join(', ')}; add it to a group.`);

const itemsOf = (folder: string): DefaultTheme.SidebarItem[] =>
  pagesIn(folder).map((page) => itemOf(`${folder}/${page}`));

export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  ...Object.entries(GROUPS).map(([text, pages]) => ({ text, items: pages.map(itemOf) })),
  { text: 'Reference', collapsed: true, items: itemsOf('reference') },
  {
    text: 'For contributors',
    collapsed: true,
    items: [...CONTRIBUTORS.map(itemOf), { text: 'Decisions', collapsed: true, items: itemsOf('decisions') }],
  },
];
