import { rmSync } from 'node:fs';
import { TEMPLATE } from './stack';

/** Removes what the set-up has left for the run. */
export default function tearDown(): void {
  const template = process.env[TEMPLATE];
  if (template !== undefined) rmSync(template, { recursive: true, force: true });
}
