import { z } from 'zod';
import type { BrowserType } from '../browsers/browser-type';
import type { Issue } from '../errors/issues';
import type { Step } from './step-input';

const PROFILE_NAME = /^[\w.-]{1,64}$/;
/** So many versions of a profile are kept. */
export const KEPT_VERSIONS = 10;
/**
 * An open session that has written nothing for so long holds its profile no more when another one wants it: it goes on with
 * what it has, and writes nothing back.
 */
export const PROFILE_IDLE_HOURS = 24;

export const ProfileNameSchema = z
  .string()
  .regex(PROFILE_NAME, 'expected 1 to 64 letters, digits, dots, dashes and underscores');

const AddressSchema = z
  .string()
  .regex(/^(?:https?:\/\/|\$\{)[^\s"]+$/, 'expected an http or https address, such as https://acme.example/account')
  .max(2048);
const LoginStepSchema = z
  .string()
  .trim()
  .min(1, 'a step must say what to do, got an empty text')
  .max(1000, 'a step may have at most 1000 characters; split it into several steps');

/** The signed-in state that a session begins with: the name of a profile of its tenant, or that with options. */
export const ProfileInputSchema = z.union([
  ProfileNameSchema,
  z.strictObject({
    name: ProfileNameSchema,
    whenInUse: z.enum(['wait', 'copy']).optional(),
    /** Sites may make passkeys, which are kept with the profile, and sign in by them. */
    passkeys: z.boolean().optional(),
    /** A page, and a text on it that only those see who have signed in. */
    signedIn: z.strictObject({ url: AddressSchema, text: z.string().trim().min(1).max(200) }).optional(),
    /** What signs in where that text is not shown: before the first step, and where the site asks to sign in again. */
    login: z.array(LoginStepSchema).min(1).max(20, 'a login takes at most 20 steps').optional(),
  }),
]);
export type ProfileInput = z.infer<typeof ProfileInputSchema>;

/** With every option decided. */
export interface SessionProfile {
  name: string;
  /** What the session does while another one has the profile: it waits, or goes on with a copy that is not written back. */
  whenInUse: 'wait' | 'copy';
  passkeys?: true | undefined;
  signIn?: SignInPlan | undefined;
}

/** How a session signs in. `check` opens the address and expects the text. */
export interface SignInPlan {
  url: string;
  text: string;
  check: Step;
  login: Step[];
}

/** What only shows across its members. */
export function profileIssues(input: ProfileInput | undefined, executor: string, browserType: BrowserType): Issue[] {
  if (typeof input === 'object' && input.passkeys === true && browserType !== 'chromium')
    return [{ path: 'profile.passkeys', message: `only chromium has passkeys, got ${browserType}` }];
  if (input !== undefined && executor !== 'playwright')
    return [
      {
        path: 'profile',
        message: 'only a browser of the engine begins with a profile; leave it out, or agent.executor',
      },
    ];
  const isBare = typeof input === 'object' && input.login !== undefined && input.signedIn === undefined;
  return isBare
    ? [
        {
          path: 'profile.signedIn',
          message: 'login steps are done only where this does not hold: name a page and a text',
        },
      ]
    : [];
}

/** The texts of a profile that name addresses, as steps do. */
export function profileTexts(input: ProfileInput | undefined): string[] {
  if (typeof input !== 'object') return [];
  return [...(input.signedIn === undefined ? [] : [input.signedIn.url]), ...(input.login ?? [])];
}

export function sessionProfile(input: ProfileInput, signIn?: SignInPlan): SessionProfile {
  const { name, whenInUse = 'wait', passkeys = false } = typeof input === 'string' ? { name: input } : input;
  return { name, whenInUse, ...(passkeys ? { passkeys } : {}), ...(signIn === undefined ? {} : { signIn }) };
}

/** Which profile. */
export interface ProfileId {
  tenant: string;
  name: string;
}

/** A signed-in state that outlives sessions. */
export const ProfileSchema = z.object({
  tenant: z.string(),
  name: z.string(),
  /** Of the newest version; 0 while the first session that is to write it runs. */
  version: z.number(),
  savedAt: z.coerce.date().optional(),
  /** The open session that has it, and writes it back when it completes. */
  usedBy: z.string().optional(),
});
export type Profile = z.infer<typeof ProfileSchema>;

/** What a profile holds, without a single value. */
export const ProfileDetailsSchema = ProfileSchema.extend({
  cookies: z.array(
    z.object({
      domain: z.string(),
      name: z.string(),
      /** Absent for one that lasts as long as the browser. */
      expiresAt: z.coerce.date().optional(),
    }),
  ),
  storage: z.array(
    z.object({
      origin: z.string(),
      /** How many entries of localStorage, and how many IndexedDB databases. */
      entries: z.number(),
      databases: z.number(),
    }),
  ),
  /** The site of each, and the name of the user at it. */
  passkeys: z.array(z.object({ site: z.string(), user: z.string().optional() })),
  /** What could not be saved, as sentences. */
  omitted: z.array(z.string()),
  versions: z.array(
    z.object({
      version: z.number(),
      savedAt: z.coerce.date(),
      /** The session that has written it; absent for one that was imported or restored. */
      sessionId: z.string().optional(),
    }),
  ),
});
export type ProfileDetails = z.infer<typeof ProfileDetailsSchema>;

const KeyPathSchema = { keyPath: z.string().optional(), keyPathArray: z.array(z.string()).optional() };

/** What `context.storageState({ indexedDB: true })` of Playwright returns. */
export const StorageStateSchema = z.object({
  cookies: z.array(
    z.object({
      name: z.string().min(1),
      value: z.string(),
      domain: z.string().min(1),
      path: z.string().min(1),
      /** Seconds since 1970; -1 for one that lasts as long as the browser. */
      expires: z.number().min(-1).default(-1),
      httpOnly: z.boolean().default(false),
      secure: z.boolean().default(false),
      sameSite: z.enum(['Strict', 'Lax', 'None']).default('Lax'),
      partitionKey: z.string().optional(),
    }),
  ),
  origins: z
    .array(
      z.object({
        origin: z.url({ protocol: /^https?$/, error: 'expected an origin, such as https://example.com' }),
        localStorage: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
        indexedDB: z
          .array(
            z.object({
              name: z.string(),
              version: z.int().min(1),
              stores: z.array(
                z.object({
                  name: z.string(),
                  autoIncrement: z.boolean(),
                  ...KeyPathSchema,
                  indexes: z.array(
                    z.object({ name: z.string(), unique: z.boolean(), multiEntry: z.boolean(), ...KeyPathSchema }),
                  ),
                  records: z.array(z.object({ key: z.unknown().optional(), value: z.unknown().optional() })),
                }),
              ),
            }),
          )
          .optional(),
      }),
    )
    .default([]),
});
export type StorageState = z.output<typeof StorageStateSchema>;
