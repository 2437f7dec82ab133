import type { ApiParts } from './context';

/** Creates the links of a session. They are paths, since the API does not know its name behind a proxy. */
export function createLinks({ temporalLink }: Pick<ApiParts, 'temporalLink'>) {
  return ({
    sessionId,
    workflowId,
    streamId,
  }: {
    sessionId: string;
    workflowId: string;
    streamId?: string | undefined;
  }) => {
    const temporal = temporalLink?.(workflowId);
    const self = `/v1/sessions/${sessionId}`;
    return {
      self,
      events: `${self}/events`,
      ...(streamId === undefined ? {} : { stream: `${self}/events` }),
      screenshots: `${self}/screenshots`,
      ...(temporal === undefined ? {} : { temporal }),
      docs: '/docs',
    };
  };
}
