import type { BrowserToolArgs } from '../../../contracts/tools/browser-tools';
import type { BrowserDraft, PlanScene } from '../draft';
import { isDangerous } from '../danger';
import { elementOf } from '../element';
import { isPlainScript } from '../plain-script';
import { hostOf, leaves } from './going';

export function javascriptTool({ expression }: BrowserToolArgs<'javascript_tool'>): BrowserDraft {
  return {
    action: 'RUN_SCRIPT',
    parameters: { script: expression },
    classification: isPlainScript(expression) ? 'write' : 'destructive',
    does: 'Run a script in the page',
    alike: expression,
  };
}

export function download({ ref, url }: BrowserToolArgs<'download'>, scene: PlanScene): BrowserDraft {
  if (ref === undefined) {
    return {
      action: 'DOWNLOAD_FILE',
      parameters: { url: url! },
      classification: leaves(scene, url!) ? 'external' : 'read',
      does: `Download ${url}`,
      alike: `download from ${hostOf(url!)}`,
    };
  }
  const { target, selector, told } = elementOf(scene, ref);
  return {
    action: 'DOWNLOAD_FILE',
    parameters: { selector },
    target,
    classification: isDangerous(target) ? 'destructive' : 'read',
    does: `Download by the ${told}`,
    alike: `download ${told}`,
  };
}
