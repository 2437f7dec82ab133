import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Addresses of a running local stack, written by its supervisor so that the CLI and people find it. */
export const StackFileSchema = z.object({
  supervisorPid: z.number(),
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  temporalUi: z.string().optional(),
  /** What its processes encrypt payloads with, as SUREFOOT_PAYLOAD_KEYS has them. */
  payloadKeys: z.string().optional(),
  api: z.string().optional(),
  /** The address of the page, with the key that lets it act where the API has no token. */
  page: z.string().optional(),
  shop: z.string().optional(),
  /** SUREFOOT_MODEL of its workers. */
  model: z.string().optional(),
  chromium: z.string().optional(),
});
export type StackFile = z.infer<typeof StackFileSchema>;

export function stackFilePath(home: string): string {
  return join(home, 'run', 'stack.json');
}

export function readStackFile(home: string): StackFile | undefined {
  const file = stackFilePath(home);
  if (!existsSync(file)) return undefined;
  const parsed = StackFileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : undefined;
}
