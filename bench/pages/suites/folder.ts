import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, type Answer } from '../scenario';

/** Serves the HTML files of a folder beside this one. */
export function pagesIn(folder: string): (path: string) => Answer | undefined {
  return (path) => {
    const file = join(__dirname, '..', folder, path);
    return /^[\w-]+\.html$/.test(path) && existsSync(file) ? html(readFileSync(file, 'utf8')) : undefined;
  };
}
