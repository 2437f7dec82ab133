import type { BrowserToolArgs } from '../../../contracts/tools/browser-tools';
import type { BrowserPlan, PlanContext } from '../browser-plan';
import { isDestructive } from '../destructive-controls';
import { elementOf } from '../element';
import { isReadOnlyScript } from '../read-only-script';
import { hostOf, leavesSite } from './going';

export function javascriptTool({ expression }: BrowserToolArgs<'javascript_tool'>): BrowserPlan {
  return {
    action: 'RUN_SCRIPT',
    parameters: { script: expression },
    classification: isReadOnlyScript(expression) ? 'write' : 'destructive',
    summary: 'Run a script in the page',
    approvalScope: expression,
  };
}

export function download({ ref, url }: BrowserToolArgs<'download'>, scene: PlanContext): BrowserPlan {
  if (ref === undefined) {
    return {
      action: 'DOWNLOAD_FILE',
      parameters: { url: url! },
      classification: leavesSite(scene, url!) ? 'external' : 'read',
      summary: `Download ${url}`,
      approvalScope: `download from ${hostOf(url!)}`,
    };
  }
  const { target, selector, label: told } = elementOf(scene, ref);
  return {
    action: 'DOWNLOAD_FILE',
    parameters: { selector },
    target,
    classification: isDestructive(target) ? 'destructive' : 'read',
    summary: `Download by the ${told}`,
    approvalScope: `download ${told}`,
  };
}
