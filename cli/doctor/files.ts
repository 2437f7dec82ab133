import { randomUUID } from 'node:crypto';
import { openFiles } from '../../store/files/open-files';
import type { Settings } from '../../runtime/settings/settings';
import { oneLineOf } from '../context/failure';
import { finding, type Finding } from './check';

/** Checks the bucket by a file that is removed again; a folder is a matter of the disk. */
export async function checkFiles(settings: Settings['files'], home: string): Promise<Finding[]> {
  const { bucket } = settings;
  if (bucket === undefined) return [];
  const files = openFiles(home, settings);
  const path = `doctor/${randomUUID()}`;
  try {
    await files.write(path, Buffer.from('surefoot'));
    await files.read(path);
    await files.remove([path]);
    return [finding('good', 'Files', `the bucket ${bucket} takes, gives and removes files`)];
  } catch (error) {
    const reason = oneLineOf(error).replace(/\.$/, '');
    const message = `${reason}. Check SUREFOOT_S3_BUCKET, SUREFOOT_S3_ENDPOINT and the credentials; sessions run without pictures meanwhile.`;
    return [finding('poor', 'Files', message)];
  } finally {
    files.close();
  }
}
