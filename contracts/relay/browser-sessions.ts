import { z } from 'zod';

const TenantSchema = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'expected 1 to 64 letters, digits, dots, dashes and underscores');
const TextSchema = z.string().min(1).max(200);

/** Body of `POST /v1/browser-sessions/pair`: the caller names the owner of the browser; the browser itself never does. */
export const PairRequestSchema = z.strictObject({
  label: TextSchema.optional(),
  external_user_id: TextSchema.optional(),
  tenant: TenantSchema.optional(),
});
export type PairRequest = z.infer<typeof PairRequestSchema>;

export const PairedSchema = z.object({
  pairing_token: z.string().meta({ description: 'Works once' }),
  expires_at: z.coerce.date(),
  expires_in_seconds: z.number(),
});
export type Paired = z.infer<typeof PairedSchema>;

export const RegisterRequestSchema = z.strictObject({ pairing_token: z.string().max(200) });
export type RegisterRequest = z.infer<typeof RegisterRequestSchema>;

export const BrowserSessionSchema = z.object({
  browser_session_id: z.string(),
  tenant: z.string(),
  label: z.union([z.string(), z.null()]),
  external_user_id: z.union([z.string(), z.null()]),
  created_at: z.coerce.date(),
  expires_at: z.coerce.date(),
  is_connected: z.boolean(),
  client: z.union([z.string(), z.null()]).meta({ description: 'What the browser says it is' }),
});
export type BrowserSession = z.infer<typeof BrowserSessionSchema>;

/** The answer to a registration; the token is not shown again. */
export const RegisteredBrowserSchema = z.object({
  browser_session_id: z.string(),
  session_token: z.string(),
  expires_at: z.coerce.date(),
  tenant: z.string(),
  relay_path: z.string(),
});
export type RegisteredBrowser = z.infer<typeof RegisteredBrowserSchema>;

export const BrowserSessionQuerySchema = z.object({ tenant: TenantSchema.optional() });
