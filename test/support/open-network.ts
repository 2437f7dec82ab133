import type { OperatorNetwork } from '../../contracts/browsers/network-policy';

/** What an operator sets who lets every session reach the sites of this machine, which is where tests have theirs. */
export const LOCAL_SITES: OperatorNetwork = {
  allowedOrigins: [],
  privateOrigins: ['http://127.0.0.1:*', 'https://127.0.0.1:*', 'http://localhost:*'],
  mayGivePrivate: true,
};

/** What holds where nothing is set. */
export const DEFAULT_NETWORK: OperatorNetwork = { allowedOrigins: [], privateOrigins: [], mayGivePrivate: true };
