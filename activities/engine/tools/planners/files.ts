import { elementOf } from '../planning/element';
import type { Planners } from './planner';
import { hostOf, leavesSite } from './sites';

export const filePlanners = {
  upload({ ref, files }, context) {
    const { target, selector, label } = elementOf(context, ref);
    return {
      action: 'UPLOAD_FILE',
      parameters: { selector, files },
      target,
      classification: 'external',
      summary: `Give ${files.map((file) => `“${file}”`).join(', ')} to the ${label}`,
      approvalScope: files.join('/'),
    };
  },
  download({ ref, url }, context) {
    if (ref === undefined)
      return {
        action: 'DOWNLOAD_FILE',
        parameters: { url: url! },
        classification: leavesSite(context, url!) ? 'external' : 'read',
        summary: `Download ${url}`,
        approvalScope: `download from ${hostOf(url!)}`,
      };
    const { target, selector, label } = elementOf(context, ref);
    return {
      action: 'DOWNLOAD_FILE',
      parameters: { selector },
      target,
      classification: 'read',
      summary: `Download by the ${label}`,
      approvalScope: `download ${label}`,
    };
  },
} satisfies Partial<Planners>;
