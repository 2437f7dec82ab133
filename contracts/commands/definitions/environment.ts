import { z } from 'zod';
import { defineCommand } from '../define-command';

const PERMISSIONS = [
  'geolocation',
  'notifications',
  'clipboard-read',
  'clipboard-write',
  'camera',
  'microphone',
] as const;

/** What pages learn of the place and the device that they are shown on. It holds for the rest of the session. */
export const environmentCommands = {
  SET_VIEWPORT: defineCommand({
    parameters: z.strictObject({ width: z.int().min(200).max(4000), height: z.int().min(200).max(4000) }),
    effect: 'idempotent',
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
};
