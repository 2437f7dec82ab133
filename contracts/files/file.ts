import { z } from 'zod';
import { FilmSchema } from './film';

const facts = {
  name: z.string().meta({ description: 'As the site, or the person who uploaded it, calls it' }),
  mediaType: z.string(),
  bytes: z.int(),
  sha256: z.string().meta({ description: 'SHA-256 of its bytes, in hexadecimal digits' }),
  createdAt: z.coerce.date(),
};

/** A file that a session has stored: a download, the Playwright trace of a step that failed, or the film of its recording. */
export const SessionFileSchema = z.object({
  fileId: z.string(),
  ...facts,
  source: z.enum(['download', 'trace', 'recording']),
  address: z.string().optional().meta({ description: 'Where a download came from, without query and fragment' }),
  stepIndex: z.int().optional(),
  commandId: z.string().optional(),
  film: FilmSchema.optional().meta({ description: 'When the frames of a recording were taken' }),
});
export type SessionFile = z.infer<typeof SessionFileSchema>;

/** A file that was given to be uploaded to sites. Steps and tasks name it by its id. */
export const UploadedFileSchema = z.object({
  fileId: z.string().meta({ example: 'file_6f1c2a0d9b7e4c5f8a3b2c1d0e9f8a7b' }),
  ...facts,
});
export type UploadedFile = z.infer<typeof UploadedFileSchema>;

/** The largest file that is stored, in bytes: of a download and of an upload. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

const ID = /^file_[0-9a-f]{32}$/;

/** True for the id of an uploaded file, as opposed to the name of a file in the upload folder. */
export function isFileId(text: string): boolean {
  return ID.test(text);
}
