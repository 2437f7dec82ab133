import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { UsageError } from '../chaos/options';

/** Outside the repository, which ships none of them. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'surefoot-bench-pages');
const MINIWOB = 'miniwob==1.1.0';
/** The libraries of the demos with their peers, todomvc.com's style sheet, and the bundler. */
const LIBRARIES = [
  'esbuild@0.28.2 react@19.3.1 react-dom@19.3.1 vue@3.5.45 lit@3.3.3 jquery@4.0.0 todomvc-app-css@2.4.3',
  '@mui/material@9.5.0 @emotion/react@11.14.0 @emotion/styled@11.14.1 antd@6.6.8 radix-ui@1.8.1 @headlessui/react@2.2.10',
  '@angular/core@22.2.6 @angular/common@22.2.6 @angular/compiler@22.2.6 @angular/forms@22.2.6 rxjs@7.8.2',
  '@angular/platform-browser@22.2.6 @angular/cdk@22.2.6 @angular/material@22.2.6',
  'select2@4.1.0 flatpickr@4.6.13 quill@2.0.3 codemirror@6.0.2 leaflet@1.9.4',
  'lexical@0.52.0 @lexical/rich-text@0.52.0 @lexical/history@0.52.0 tinymce@8.9.2 monaco-editor@0.57.0',
  'prosemirror-example-setup@1.2.3 prosemirror-state@1.4.4 prosemirror-view@1.42.9 prosemirror-schema-basic@1.2.5',
].flatMap((names) => names.split(' '));

/** Fetches MiniWoB++ from the Python package index, once, and returns the folder of its HTML. */
export function fetchMiniwob(): string {
  const folder = join(CACHE, MINIWOB);
  if (!existsSync(join(folder, 'miniwob', 'html'))) {
    mkdirSync(folder, { recursive: true });
    fetching(MINIWOB, 'pip', ['install', '--quiet', '--no-deps', '--target', folder, MINIWOB], folder);
  }
  return join(folder, 'miniwob', 'html');
}

/** Bundles the demo pages with their libraries, which are fetched once, and returns the folder of the bundles. */
export function bundleDemos(demos: string): string {
  const folder = join(CACHE, 'npm');
  const fetched = join(folder, 'fetched.txt');
  const wanted = LIBRARIES.join('\n');
  if (!existsSync(fetched) || readFileSync(fetched, 'utf8') !== wanted) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps'];
    fetching('the component libraries', 'npm', ['install', ...quiet, ...LIBRARIES], folder);
    writeFileSync(fetched, wanted);
  }
  // The bundler looks for packages beside the sources.
  rmSync(join(folder, 'demos'), { recursive: true, force: true });
  cpSync(demos, join(folder, 'demos'), { recursive: true });
  const out = join(folder, 'bundles');
  const loaders = ['png', 'svg', 'gif', 'ttf'].map((kind) => `--loader:.${kind}=dataurl`);
  const options = ['--bundle', '--minify', '--format=esm', '--jsx=automatic', '--conditions=style,module', ...loaders];
  const production = '--define:process.env.NODE_ENV="production"';
  const entries = readdirSync(demos).map((name) => join('demos', name));
  const bundler = join(folder, 'node_modules', '.bin', 'esbuild');
  fetching(
    'a bundle of the demo pages',
    bundler,
    [...entries, `--outdir=${out}`, '--log-level=error', production, ...options],
    folder,
  );
  return out;
}

function fetching(what: string, program: string, args: string[], cwd: string): void {
  try {
    execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: Buffer | string };
    const lines = stderr.toString().trim().split('\n');
    const why = lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? '';
    throw new UsageError(
      `Could not make ${what} with ${basename(program)}: ${why || (error as Error).message} Run the bench once where the ` +
        'package index can be reached (it keeps what it fetched), or choose suites that need nothing: ' +
        '--suite plain,mutations,shop.',
    );
  }
}
