import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = '@browserbasehq/stagehand';
/** Version 4 takes no model that is an object of the program. */
const VERSION = '3.7.3';

/** Installs the package without its scripts; returns its folder, or undefined where the registry can't be reached. */
export function fetchStagehand(scratch: string): string | undefined {
  const cwd = join(scratch, 'npm');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    execFileSync('npm', ['install', ...quiet, `${NAME}@${VERSION}`], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    console.error(`  ${NAME} is left out, npm could not install it: ${(error as Error).message}`);
    return undefined;
  }
  return join(cwd, 'node_modules', NAME);
}
