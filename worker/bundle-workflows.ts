import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { FAILURE_CONVERTER } from '../runtime/payloads/data-converter';

const ROOT = dirname(__dirname);

const WORKFLOWS = join(ROOT, 'workflows');
const SHARED = join(WORKFLOWS, 'shared-contracts.js');

/** The built bundles that worker processes load; the first line names what a bundle was made from. */
const BUNDLES = { plain: join(ROOT, 'workflow-bundle.js'), encoded: join(ROOT, 'workflow-bundle-encoded.js') };

/**
 * Bundles the workflows once; when nothing that goes in has changed, the bundle stays as it is. Where payloads are encrypted
 * the bundle also encodes the messages of failures.
 */
export async function bundleWorkflows({ encodesFailures = false } = {}): Promise<string> {
  const bundle = encodesFailures ? BUNDLES.encoded : BUNDLES.plain;
  const stamp = `// ${sourceHash()}\n`;
  if (existsSync(bundle) && readFileSync(bundle, 'utf8').startsWith(stamp)) return bundle;
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(WORKFLOWS, 'index.js'),
    logger: new DefaultLogger('WARN'),
    preloadModules: [writeSharedContracts()],
    ...(encodesFailures ? { failureConverterPath: FAILURE_CONVERTER } : {}),
  });
  writeFileSync(bundle, stamp + withNamesOfSources(code));
  return bundle;
}

/**
 * Writes the module that loads the contracts of the workflows, once a worker: schemas hold no state of a session, and built
 * anew for each they cost two thirds of its first workflow task. Temporal freezes what it shares, down to the schemas, which
 * store what they compute; it leaves out what is frozen already, as the modules are here.
 */
function writeSharedContracts(): string {
  const files = new Set(sources('workflows').flatMap((name) => contractsOf(join(WORKFLOWS, name))));
  // A set also goes through what is added meanwhile.
  for (const file of files) for (const each of contractsOf(file)) files.add(each);
  const paths = [...files].map((file) => relative(WORKFLOWS, file).replaceAll('\\', '/')).sort();
  const modules = paths.map((path) => `require('${path}')`);
  const text = `[\n  ${modules.join(',\n  ')},\n].forEach(Object.freeze);\n`;
  if (!existsSync(SHARED) || readFileSync(SHARED, 'utf8') !== text) writeFileSync(SHARED, text);
  return SHARED;
}

/** The modules of contracts that a compiled module loads. */
function contractsOf(file: string): string[] {
  const required = [...readFileSync(file, 'utf8').matchAll(/require\("(\.[^"]+)"\)/g)];
  const files = required.map(([, path]) => require.resolve(join(dirname(file), path!)));
  return files.filter((each) => each.startsWith(join(ROOT, 'contracts')));
}

const SOURCE_MAP = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,';

/**
 * Leaves the names of the sources in the source map of a bundle, and drops their text: stack traces need the names alone, and
 * the text is a third of the bundle. The names are those within the package, not within the machine that built it.
 */
function withNamesOfSources(code: string): string {
  const start = code.lastIndexOf(SOURCE_MAP);
  if (start === -1)
    throw new Error('The bundle of the workflows has no source map where one was expected, at its end.');
  const text = Buffer.from(code.slice(start + SOURCE_MAP.length), 'base64').toString();
  const { sourcesContent: _text, ...map } = JSON.parse(text) as { sources: string[]; sourcesContent?: string[] };
  const place = dirname(ROOT);
  const sources = map.sources.map((source) => (isAbsolute(source) ? relative(place, source) : source));
  return code.slice(0, start) + SOURCE_MAP + Buffer.from(JSON.stringify({ ...map, sources })).toString('base64');
}

/** The compiled modules of a folder. */
function sources(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => name.endsWith('.js') && join(ROOT, folder, name) !== SHARED);
}

function sourceHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['contracts', 'workflows'])
    for (const name of sources(folder)) hash.update(name).update(readFileSync(join(ROOT, folder, name)));
  return hash.digest('hex');
}

if (require.main === module) {
  // Both, so that no process writes beside its program, where it may not.
  bundleWorkflows()
    .then(() => bundleWorkflows({ encodesFailures: true }))
    .catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
}
