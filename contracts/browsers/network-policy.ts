import { z } from 'zod';

/** What a request says about the network of its session. */
export const SessionNetworkSchema = z.strictObject({
  /** The session reaches nothing else. Without it, it reaches every public address. */
  allowedOrigins: z.array(z.string()).optional(),
  /** Whether a name that the request gives may lead to an address of this machine or of a private network. */
  allowPrivateAddresses: z.boolean(),
  /** Origins that stand in the caller's own texts. */
  givenOrigins: z.array(z.string()).optional(),
});
export type SessionNetwork = z.infer<typeof SessionNetworkSchema>;

/** A session whose request says nothing. */
export const PUBLIC_NETWORK: SessionNetwork = { allowPrivateAddresses: false };

/** What the operator of a host says about the network of every session. */
export interface OperatorNetwork {
  /** No session reaches anything else. Empty for no such limit. */
  allowedOrigins: readonly string[];
  /** What every session may reach although its address is private. */
  privateOrigins: readonly string[];
  /** Whether a request may give further private origins. */
  mayGivePrivate: boolean;
}

/** Where a Chrome may go: what the operator and the request say together. Enforced by the keeper's proxy. */
export const NetworkPolicySchema = z.strictObject({
  /** Each of these lists has to allow an origin. */
  allowedOrigins: z.array(z.array(z.string())),
  /** Private origins of the operator's: by address or by name. */
  operatorOrigins: z.array(z.string()),
  /** Further ones that may be private where they are written as an address. */
  privateAddresses: z.array(z.string()),
  /** Further ones whose name may lead to a private address. */
  privateNames: z.array(z.string()),
});
export type NetworkPolicy = z.infer<typeof NetworkPolicySchema>;

/** Which guard refuses: not among the allowed origins, a private address, one that no session is ever given. */
export const NetworkGuardSchema = z.enum(['allowed-origins', 'private-address', 'reserved-address']);
export type NetworkGuard = z.infer<typeof NetworkGuardSchema>;

export function networkPolicy(session: SessionNetwork, operator: OperatorNetwork): NetworkPolicy {
  const { allowedOrigins, allowPrivateAddresses, givenOrigins = [] } = session;
  // With a list of its own a session reaches that alone, whatever stands in its texts.
  const given = operator.mayGivePrivate ? (allowedOrigins ?? givenOrigins) : [];
  return {
    allowedOrigins: [operator.allowedOrigins, allowedOrigins ?? []]
      .filter((list) => list.length > 0)
      .map((list) => [...list]),
    operatorOrigins: [...operator.privateOrigins],
    privateAddresses: given,
    privateNames: allowPrivateAddresses ? given : [],
  };
}
