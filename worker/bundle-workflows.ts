import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { FAILURE_CONVERTER } from '../runtime/payloads/data-converter';

const ROOT = dirname(__dirname);

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
    workflowsPath: join(ROOT, 'workflows', 'index.js'),
    logger: new DefaultLogger('WARN'),
    ...(encodesFailures ? { failureConverterPath: FAILURE_CONVERTER } : {}),
  });
  writeFileSync(bundle, stamp + code);
  return bundle;
}

function sourceHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['contracts', 'workflows']) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (name.endsWith('.js')) hash.update(name).update(readFileSync(join(ROOT, folder, name)));
    }
  }
  return hash.digest('hex');
}

if (require.main === module) {
  bundleWorkflows().catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
}
