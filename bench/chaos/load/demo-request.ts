import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The demo as steps, or as one task whose calls wait for approvals. */
export type SessionForm = 'steps' | 'task';

/** Returns the demo request for this shop; `run` labels its orders. */
export function demoRequest(shop: string, run: string, form: SessionForm): object {
  const file = join(__dirname, '..', '..', '..', 'examples', 'demo-session.json');
  const { steps, variables, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as {
    steps: string[];
    variables: Record<string, unknown>;
  };
  const labelled = steps.map((step, index) => (index === 0 ? `${step}?run=${run}` : step));
  const own = { ...rest, variables: { ...variables, shop } };
  if (form === 'steps') return { ...own, steps: labelled };
  const task = labelled.join('\n').replaceAll('${shop}', shop);
  return { ...own, steps: [{ task }], config: { agent: { approvalMode: 'default' } } };
}
