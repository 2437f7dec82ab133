import type { Settings } from '../../runtime/settings/settings';
import { createBucketFiles } from './bucket-files';
import type { Files } from './files';
import { createFolderFiles } from './folder-files';

/** Files in the bucket that the settings name, or else in this folder. */
export function openFiles(folder: string, { bucket, ...place }: Partial<Settings['files']> = {}): Files {
  if (bucket === undefined) return createFolderFiles(folder);
  const { prefix = '', endpoint, region = 'us-east-1' } = place;
  return createBucketFiles({ bucket, prefix, endpoint, region });
}
