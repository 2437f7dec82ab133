import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const ROOT = dirname(__dirname);

/** The built bundle that every worker process loads; its first line names what it was made from. */
export const WORKFLOW_BUNDLE = join(ROOT, 'workflow-bundle.js');

/** Bundles the workflows once; when nothing that goes in has changed, the bundle stays as it is. */
export async function bundleWorkflows(): Promise<string> {
  const stamp = `// ${sourceHash()}\n`;
  if (existsSync(WORKFLOW_BUNDLE) && readFileSync(WORKFLOW_BUNDLE, 'utf8').startsWith(stamp)) return WORKFLOW_BUNDLE;
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows', 'index.js'),
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync(WORKFLOW_BUNDLE, stamp + code);
  return WORKFLOW_BUNDLE;
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
