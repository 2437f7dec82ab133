import { onOrOff, originList } from './schemas';
import { defineSetting } from './setting';

/** Floors of the operator's for the network of every session; its keepers read them. */
export const NETWORK = {
  network: {
    privateOrigins: defineSetting({
      env: 'SUREFOOT_PRIVATE_ORIGINS',
      schema: originList(),
      doc: '[Private origins](../security.md#the-network) that every session may reach, such as `http://wiki.corp.example, http://127.0.0.1:*`.',
    }),
    mayGivePrivate: defineSetting({
      env: 'SUREFOOT_GIVEN_ORIGINS',
      schema: onOrOff().prefault('on'),
      doc: 'Whether a request may add private origins: in `allowedOrigins`, or as addresses in its steps.',
    }),
    allowedOrigins: defineSetting({
      env: 'SUREFOOT_ALLOWED_ORIGINS',
      schema: originList(),
      doc: 'The only origins that sessions may reach, such as `https://*.shop.example`; a request can narrow them.',
      otherwise: 'all public ones',
    }),
  },
};
