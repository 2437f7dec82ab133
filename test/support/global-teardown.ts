import { rmSync } from 'node:fs';
import { PACKAGE_FOLDER } from './package-folder';
import { TEMPLATE } from './stack';

/** Removes what the set-up has left for the run. */
export default function tearDown(): void {
  for (const folder of [process.env[TEMPLATE], process.env[PACKAGE_FOLDER], process.env['SUREFOOT_USERS_FOLDER']])
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
