import { defineConfig } from 'vitepress';
import { assertLinks } from './check-links.mts';
import { asGitHub, escapeBraces, withoutOutsideLinks } from './markdown.mts';
import { SIDEBAR } from './sidebar.mts';

/** The site of docs/, which `node guide.js` builds and the API serves at /guide. */
export default defineConfig({
  title: 'Surefoot',
  description: 'Browser agents that never lose their footing',
  base: '/guide/',
  // Without one a browser asks the API for /favicon.ico.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  outDir: process.env['SUREFOOT_GUIDE_FOLDER'] ?? '../dist/guide',
  cacheDir: '../node_modules/.cache/vitepress',
  // The proofs of the contracts are for those who work on Surefoot; a reader of the site needs none of their 70 KB.
  srcExclude: ['conformance.md'],
  markdown: {
    anchor: { slugify: asGitHub },
    config(md) {
      md.use(withoutOutsideLinks).use(escapeBraces);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Guides', link: '/package' },
      { text: 'Reference', link: '/reference/cli' },
    ],
    sidebar: SIDEBAR,
  },
  buildEnd: ({ outDir }) => assertLinks(outDir, '/guide/'),
});
