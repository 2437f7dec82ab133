import type { ApiParts } from './context';

/** Paths, not addresses: the caller knows by which name it reached us, a proxy in between may not tell. */
export function createLinks({ temporalLink }: Pick<ApiParts, 'temporalLink'>) {
  return (sessionId: string, workflowId: string) => {
    const temporal = temporalLink?.(workflowId);
    const self = `/v1/sessions/${sessionId}`;
    return {
      self,
      events: `${self}/events`,
      stream: `${self}/events`,
      screenshots: `${self}/screenshots`,
      ...(temporal === undefined ? {} : { temporal }),
      docs: '/docs',
    };
  };
}
