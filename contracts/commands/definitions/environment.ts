import { z } from 'zod';
import { OriginSchema } from '../../browsers/origins';
import { defineCommand } from '../define-command';

const PERMISSIONS = [
  'geolocation',
  'notifications',
  'clipboard-read',
  'clipboard-write',
  'camera',
  'microphone',
] as const;
/** What a site may use only where somebody lets it. */
export type SitePermission = (typeof PERMISSIONS)[number];

/** What pages learn of the place and the device that they are shown on. It holds for the rest of the session. */
export const environmentCommands = {
  SET_VIEWPORT: defineCommand({
    parameters: z.strictObject({ width: z.int().min(200).max(4000), height: z.int().min(200).max(4000) }),
    effect: 'idempotent',
    offered: { words: /viewport|\bview\b|\bsize|width/i },
    prompt: 'give the view another size, in CSS pixels',
    tool: {
      name: 'set_viewport',
      description: 'Gives the view another size in CSS pixels, such as 390 x 844 for a telephone.',
      classification: 'read',
      summary: ({ width, height }) => `Make the view ${width} x ${height} pixels`,
    },
    summary: ({ width, height }) => [width !== undefined && `${width} x ${height}`],
    done: ({ width, height }) => `The view is ${width} x ${height} pixels`,
  }),
  SET_GEOLOCATION: defineCommand({
    parameters: z.strictObject({
      latitude: z.number().min(-90).max(90),
      longitude: z.number().min(-180).max(180),
      accuracy: z.number().min(0).max(100_000).optional().describe('in metres; 10 unless given'),
    }),
    effect: 'idempotent',
    offered: { words: /location|latitude|position/i },
    prompt: 'set the place that pages get, when they have the permission geolocation',
    tool: {
      name: 'set_geolocation',
      description: 'Sets the place that pages get once they have the permission geolocation.',
      classification: 'write',
      summary: ({ latitude, longitude }) => `Give pages the place ${latitude}, ${longitude}`,
    },
    summary: ({ latitude, longitude }) => [latitude !== undefined && `${latitude}, ${longitude}`],
    done: ({ latitude, longitude }) => `Pages get the place ${latitude}, ${longitude}`,
  }),
  SET_PERMISSIONS: defineCommand({
    parameters: z.strictObject({
      permissions: z.array(z.enum(PERMISSIONS)).max(6).describe('all that the site of this page has from now on'),
    }),
    effect: 'idempotent',
    offered: { words: /permission|allow|camera|microphone|notification|clipboard/i },
    prompt: `say what the site of this page may use, of ${PERMISSIONS.join(', ')}`,
    tool: {
      name: 'set_permissions',
      description: 'Says what the site of the page may use without asking. What is not named is taken away from it.',
      classification: 'external',
      summary: ({ permissions }) => `Let the site use ${permissions.join(', ') || 'nothing'}`,
    },
    summary: ({ permissions }) => [permissions?.join(', ')],
    done: ({ permissions }) => `The site may use ${permissions.join(', ') || 'nothing'}`,
  }),
  /** A secret that is never typed: it answers the browser's own question for a password (HTTP 401). */
  SET_HTTP_CREDENTIALS: defineCommand({
    parameters: z.strictObject({
      origin: OriginSchema,
      username: z.string().min(1).max(200),
      password: z
        .string()
        .regex(/^\$\{[a-zA-Z_][a-zA-Z0-9_-]*\}$/, 'expected the name of a secret of the session, as ${name}')
        .describe('a secret by its name, as ${name}'),
    }),
    effect: 'idempotent',
    offered: { words: /credential|authentication/i },
    prompt:
      'sign in at an origin that answers 401 and asks for name and password outside of its pages; the password is a secret, as ${name}. Then open the page',
    tool: {
      name: 'set_http_credentials',
      description:
        'Gives name and password to an origin that answers 401 and asks for them outside of its pages (HTTP authentication). The password is a secret of the session, as ${name}. Open the page afterwards.',
      classification: 'external',
      summary: ({ origin, username }) => `Sign in at ${origin} as ${username}`,
    },
    summary: ({ origin, username }) => [origin, username],
    done: ({ origin, username }) => `Requests of ${origin} are signed in as ${username}`,
  }),
};
