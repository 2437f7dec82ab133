import { z } from 'zod';
import { defineCommand } from '../define-command';
import { quoted, toElementText } from '../element-text';
import { files, selector } from './members';

export const fileCommands = {
  UPLOAD_FILE: defineCommand({
    parameters: z.strictObject({ selector, files }),
    // A page may send what it is given at once.
    effect: 'commit',
    events: [],
    offered: { states: /^type=file/, words: /upload|attach|\bfile/i },
    prompt:
      'give files, each the name of a file in the upload folder or the id of an uploaded one (`file_…`), to a file field or the button that opens the file chooser',
    summary: ({ selector: field, files: names }) => [toElementText(field), names && `<- ${names.join(', ')}`],
    done: ({ files: names }, field) => `Gave ${names.join(', ')} to ${field}`,
  }),
  DROP_FILES: defineCommand({
    parameters: z.strictObject({ selector, files }),
    effect: 'commit',
    events: [],
    offered: { words: /\bdrop|\bfile/i },
    prompt: 'drop files, named as for UPLOAD_FILE, onto an area that takes dropped files',
    summary: ({ selector: area, files: names }) => [toElementText(area), names && `<- ${names.join(', ')}`],
    done: ({ files: names }, area) => `Dropped ${names.join(', ')} onto ${area}`,
  }),
  /** What clicking an element, or opening an address, brings as a file. */
  DOWNLOAD_FILE: defineCommand({
    parameters: z
      .strictObject({ selector: selector.optional(), url: z.string().min(1).optional() })
      .refine(({ selector: element, url }) => (element === undefined) !== (url === undefined), {
        error: 'expected an element, or an address',
      }),
    effect: 'commit',
    events: ['pointerdown', 'mousedown', 'click'],
    summary: ({ selector: element, url }) => [toElementText(element), url],
  }),
  /** Keeps the page as a file of the session. */
  SAVE_PDF: defineCommand({
    parameters: z.strictObject({
      name: z.string().trim().min(1).max(200).describe('what the file is called, such as invoice.pdf'),
    }),
    effect: 'pure',
    onlyLooks: true,
    needsPageAtRest: true,
    offered: { words: /\bpdf|print/i },
    prompt: 'print the whole page to a PDF that is kept with the session',
    tool: {
      name: 'save_pdf',
      description: 'Prints the whole page to a PDF, which is kept as a file of the session.',
      classification: 'read',
      summary: ({ name }) => `Print the page to the PDF “${name}”`,
    },
    summary: ({ name }) => [quoted(name)],
  }),
};
