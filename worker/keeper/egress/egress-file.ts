import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { NetworkPolicySchema } from '../../../contracts/browsers/network-policy';
import { ProcessIdentitySchema } from '../../../runtime/process-identity';

/** `egress.json` in the folder of a host's browsers: where its egress process is, for the next keeper. */
export const EgressFileSchema = ProcessIdentitySchema.extend({
  port: z.int().positive(),
  token: z.string(),
  /** Absent in the file of an earlier version. */
  startedAt: z.iso.datetime().default(new Date(0).toISOString()),
});
export type EgressFile = z.infer<typeof EgressFileSchema>;

/** `PUT /engine`: what no Chrome reaches, and the keeper that says so. */
export const EngineSchema = z.strictObject({
  keeper: ProcessIdentitySchema,
  home: z.string().optional(),
  services: z.array(z.string()),
});
export type Engine = z.infer<typeof EngineSchema>;

/** `PUT /ways/{port}`: opens the way out at this port (0 for any), or changes what passes there. */
export const WaySchema = z.strictObject({ policy: NetworkPolicySchema });
export const OpenedSchema = z.object({ port: z.int().positive() });

const FILE = 'egress.json';

export function writeEgressFile(root: string, content: EgressFile): void {
  writeFileSync(join(root, `${FILE}.part`), JSON.stringify(content), { mode: 0o600 });
  renameSync(join(root, `${FILE}.part`), join(root, FILE));
}

export function readEgressFile(root: string): EgressFile | undefined {
  try {
    return EgressFileSchema.parse(JSON.parse(readFileSync(join(root, FILE), 'utf8')));
  } catch {
    return undefined;
  }
}
