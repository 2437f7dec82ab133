import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleDemos } from '../packages';
import { html, type Answer, type Scenario, type Suite } from '../scenario';
import { contentType } from '../site/content-types';

/** All suites of demos share the bundles. */
let bundles: string | undefined;

/** Serves the pages of bench/pages/demos: an empty root, and the script and style that the bundler made. */
function serveDemos(): (path: string) => Answer | undefined {
  // Before a page is asked for: a browser does not wait as long as the first bundle takes.
  const folder = (bundles ??= bundleDemos(join(__dirname, '..', 'demos')));
  return (path) => {
    if (path.endsWith('.html')) {
      const name = path.slice(0, -'.html'.length);
      const style = existsSync(join(folder, `${name}.css`)) ? `<link rel="stylesheet" href="${name}.css" />` : '';
      return html(
        `<title>${name}</title>${style}<div id="root"></div><script type="module" src="${name}.js"></script>`,
      );
    }
    const file = join(folder, path);
    return /^[\w-]+\.(js|css)$/.test(path) && existsSync(file)
      ? { type: contentType(path), body: readFileSync(file) }
      : undefined;
  };
}

/** A suite of demo pages that are bundled from public packages; their controls are compared with this query. */
export function demoSuite(name: string, scenarios: readonly Scenario[], query = ''): Suite {
  return {
    name,
    serve: serveDemos(),
    scenarios: () => [...scenarios],
    paths: () => [...new Set(scenarios.map(({ path }) => path + query))],
  };
}
