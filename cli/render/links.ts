import { join, relative } from 'node:path';
import type { Settings } from '../../runtime/settings/settings';

export type LinkPlace = Pick<Settings, 'home' | 'stack' | 'files'> & {
  temporal: Pick<Settings['temporal'], 'namespace'>;
};

/** Lists where to inspect a session: only places that exist. */
export function sessionLinks(
  place: LinkPlace,
  session: { sessionId: string; workflowId: string },
): [name: string, where: string][] {
  const { api, temporalUi } = place.stack ?? {};
  return [
    ['screenshots', screenshotsOf(place, session.sessionId)],
    ...(api === undefined
      ? []
      : ([['events', `${api}/v1/sessions/${session.sessionId}/events`]] as [string, string][])),
    ...(temporalUi === undefined
      ? []
      : ([['Temporal UI', temporalLink(temporalUi, place.temporal.namespace, session.workflowId)]] as [
          string,
          string,
        ][])),
  ];
}

function screenshotsOf({ home, files: { bucket, prefix } }: LinkPlace, sessionId: string): string {
  if (bucket !== undefined) return `s3://${bucket}/${prefix}${sessionId}/`;
  return shortPath(join(home, 'artifacts', sessionId));
}

function temporalLink(ui: string, namespace: string, workflowId: string): string {
  return `${ui}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}

/** Returns the relative path where it is shorter. */
export function shortPath(path: string, from = process.cwd()): string {
  const short = relative(from, path);
  return short.startsWith('..') || short === '' ? path : short;
}
