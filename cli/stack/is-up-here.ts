import { dataFolder } from './data-folder';

/** Whether a local stack of this folder runs. */
export async function isUpHere(): Promise<boolean> {
  const { listProcesses } = await import('./supervisor/run-files.js');
  return listProcesses(dataFolder()).some((row) => row.alive);
}
