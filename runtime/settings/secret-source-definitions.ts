import { z } from 'zod';
import { defineSetting } from './setting';

/** Secret managers that browser workers read, under the names of variables that their own clients use. */
export const SECRET_SOURCES = {
  secretSources: {
    vaultAddress: defineSetting({
      env: 'VAULT_ADDR',
      schema: z
        .url({ protocol: /^https?$/, error: 'expected an address such as https://vault.example:8200' })
        .optional(),
      doc: 'HashiCorp Vault, or OpenBao, for [secrets](../security.md#secrets) with `"from": "vault:…"`.',
    }),
    vaultNamespace: defineSetting({
      env: 'VAULT_NAMESPACE',
      schema: z.string().optional(),
      doc: 'The namespace in Vault.',
    }),
    vaultToken: defineSetting({ env: 'VAULT_TOKEN', schema: z.string().optional(), doc: 'A token of Vault.' }),
    vaultRoleId: defineSetting({
      env: 'VAULT_ROLE_ID',
      schema: z.string().optional(),
      doc: "Instead of a token: the role of Vault's AppRole, with VAULT_SECRET_ID.",
    }),
    vaultSecretId: defineSetting({
      env: 'VAULT_SECRET_ID',
      schema: z.string().optional(),
      doc: 'The secret id of the role.',
    }),
    onePasswordToken: defineSetting({
      env: 'OP_SERVICE_ACCOUNT_TOKEN',
      schema: z.string().optional(),
      doc: 'The service account of 1Password for secrets with `"from": "op://…"`.',
    }),
    bitwardenToken: defineSetting({
      env: 'BWS_ACCESS_TOKEN',
      schema: z.string().optional(),
      doc: 'The machine account of Bitwarden Secrets Manager for secrets with `"from": "bitwarden:…"`.',
    }),
  },
};
