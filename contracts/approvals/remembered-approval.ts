import { z } from 'zod';
import { ToolClassificationSchema } from '../commands/tool-classification';

const tool = z.string();
const classification = ToolClassificationSchema;

/** The calls that a person has approved for the rest of the session (S2.A2). */
export const RememberedApprovalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tool'), tool, server: z.string().optional(), classification }),
  z.object({ kind: z.literal('command'), tool, rootCommand: z.string(), classification }),
  z.object({ kind: z.literal('server'), server: z.string() }),
]);
export type RememberedApproval = z.infer<typeof RememberedApprovalSchema>;

/** A remembered approval, with the answer that gave it. */
export type StandingApproval = RememberedApproval & {
  /** Absent where it was given before approvals could be revoked. */
  approvalId?: string | undefined;
};

/** `computer (destructive): left_click button "Delete Ada" on shop.example`. */
export function describeRemembered(remembered: RememberedApproval): string {
  switch (remembered.kind) {
    case 'server':
      return `all tools of the MCP server ${remembered.server}`;
    case 'command':
      return `${remembered.tool} (${remembered.classification}): ${remembered.rootCommand}`;
    case 'tool':
      return `${remembered.tool} (${remembered.classification})`;
  }
}

export const RevokeApprovalRequestSchema = z.strictObject({
  approvalId: z.string().min(1).meta({ description: 'Id of the approval' }),
  /** Who revokes it, for the log. */
  by: z.string().min(1).max(200).optional(),
});
export type RevokeApprovalRequest = z.infer<typeof RevokeApprovalRequestSchema>;

/** The end of an approval that was good for the rest of its session. */
export interface Revocation {
  approvalId: string;
  by?: string | undefined;
  /** ISO-8601 UTC. */
  at: string;
}

/** The command that revokes it, to be pasted. */
export function revokeCommand(approvalId: string): string {
  return `surefoot revoke ${approvalId}`;
}
