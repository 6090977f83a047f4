import type { IncomingMessage } from 'node:http';
import { type Adapter, errors, Provider } from 'oidc-provider';
import { hashKey } from '../../resources/keys/key.ts';
import { keyOfAccount } from './account.ts';
import type { OAuthStore } from './store.ts';

/** The key of a grant lives as long as these. */
const tokens: ReadonlySet<string> = new Set(['AccessToken', 'RefreshToken']);

/** Returns the address of the client of a request; undefined if it is not known. */
export type AddressOf = (request: IncomingMessage) => string | undefined;

/** Returns a function that makes the storage of each kind of record of the authorization server. */
export function storageOn(store: OAuthStore, addressOf: AddressOf): (kind: string) => Adapter {
  /** Of the request that oidc-provider serves. */
  const address = () => Provider.ctx && addressOf(Provider.ctx.req);
  return (kind) => {
    if (kind === 'Session') return forgetful;
    return kind === 'Client' ? clientStorage(store, address) : recordStorage(store, kind, address);
  };
}

/** Parley remembers no sign-in: each authorization asks for a key. */
const forgetful: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

/** The clients that have registered. Those with a metadata document are not stored. */
function clientStorage(store: OAuthStore, address: () => string | undefined): Adapter {
  return {
    ...forgetful,
    upsert: (id, metadata) => store.saveClient(id, metadata, address()),
    find: (id) => store.client(id),
  };
}

function recordStorage(store: OAuthStore, kind: string, address: () => string | undefined): Adapter {
  return {
    ...forgetful,

    // The id is the secret of a code or a token, so that only its hash is stored.
    upsert: async (id, { jti: _, ...payload }, seconds = 0) => {
      const { accountId, params } = payload;
      const clientId = kind === 'Interaction' ? params?.['client_id'] : undefined;
      await store.save(
        {
          kind,
          idHash: hashKey(id),
          grantId: kind === 'Grant' ? id : payload.grantId,
          key: typeof accountId === 'string' ? keyOfAccount(accountId) : undefined,
          payload,
          expiresAt: new Date(Date.now() + seconds * 1000),
          signIn: typeof clientId === 'string' ? { clientId, address: address() } : undefined,
        },
        tokens.has(kind),
      );
      if (kind === 'Grant' && payload.clientId) await store.useClient(payload.clientId);
    },

    async find(id) {
      const row = await store.find(kind, hashKey(id));
      return row && { ...row.payload, jti: id, ...(row.consumed_at && { consumed: true }) };
    },

    async consume(id) {
      // Of two requests with one code or refresh token at once, the second is a replay.
      if (await store.consume(kind, hashKey(id))) return;
      const grantId = (await store.find(kind, hashKey(id)))?.payload['grantId'];
      if (typeof grantId === 'string') await store.endGrant(grantId);
      throw new errors.InvalidGrant('was used already');
    },

    destroy: (id) => (kind === 'Grant' ? store.endGrant(id) : store.remove(kind, hashKey(id))),

    // oidc-provider destroys the grant next, which removes all that belongs to it.
    revokeByGrantId: async () => undefined,
  };
}
