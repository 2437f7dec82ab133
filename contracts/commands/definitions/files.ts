import { z } from 'zod';
import { defineCommand } from '../define-command';
import { toElementText } from '../element-text';
import { selector } from './members';

export const fileCommands = {
  UPLOAD_FILE: defineCommand({
    parameters: z.strictObject({ selector, files: z.array(z.string().min(1)).min(1).max(20) }),
    // A page may send what it is given at once.
    effect: 'commit',
    summary: ({ selector: field, files }) => [toElementText(field), files && `<- ${files.join(', ')}`],
    done: ({ files }, field) => `Gave ${files.join(', ')} to ${field}`,
  }),
  /** What clicking an element, or opening an address, brings as a file. */
  DOWNLOAD_FILE: defineCommand({
    parameters: z
      .strictObject({ selector: selector.optional(), url: z.string().min(1).optional() })
      .refine(({ selector: element, url }) => (element === undefined) !== (url === undefined), {
        error: 'expected an element, or an address',
      }),
    effect: 'commit',
    summary: ({ selector: element, url }) => [toElementText(element), url],
  }),
};
