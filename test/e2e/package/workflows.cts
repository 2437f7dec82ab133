// Workflow code of another project, bundled by its own worker.
import { executeSession, sessionErrorOf, type SessionOutcome } from 'surefoot/workflows';

export async function countTwice(shop: string): Promise<{ status: SessionOutcome['status']; failed: string }> {
  const { status } = await executeSession([`Open ${shop}/parts/counter`, 'Click "Add one"'], { workflowId: 'counted' });
  const failed = await executeSession({ task: 'Bake a cake' }, { config: { maxIterations: 1 } }).then(
    () => '',
    (error: unknown) => sessionErrorOf(error)?.code ?? String(error),
  );
  return { status, failed };
}
