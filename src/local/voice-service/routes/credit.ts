// GET /wallet/{user_id}/api-credit: the balance; and GET /wallet/{user_id}/package, which isn't in the spec: the subscription, which is none.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { creditQuery, type WalletEntity } from '../../../api/schemas.ts';
import { callOf } from '../auth.ts';
import { httpError, parseWith, quote } from '../http-error.ts';
import type { Wallet } from '../wallet.ts';

const creditPath = z.object({ user_id: z.string().regex(/^[\w.@-]{1,64}$/, 'Must be a user id, or self') });

export function creditRoute(app: FastifyInstance, wallet: Wallet): void {
  const readOwn = (request: FastifyRequest) => {
    const { userId } = callOf(request);
    const requested = parseWith(creditPath, request.params, 'path').user_id;
    const row = wallet.read(requested === 'self' ? userId : requested);
    if (!row) throw httpError(404, `There is no user ${quote(requested)}. Use self for the wallet behind your key.`);
    if (row.userId !== userId) throw httpError(403, 'This is the wallet of another user. Use self for the wallet behind your key.');
    return row;
  };

  app.get('/wallet/:user_id/api-credit', async (request): Promise<WalletEntity> => {
    const row = readOwn(request);
    const { check_free_credit } = parseWith(creditQuery, request.query, 'query');
    return {
      _id: row.id,
      user_id: row.userId,
      credit: row.credit,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
      has_phone_sha256: false,
      // Null unless requested; this service has no free credit.
      has_free_credit: check_free_credit ? false : null,
    };
  });
  // Clients expect every date to be one, so what never began has ended at once.
  app.get('/wallet/:user_id/package', async (request): Promise<object> => {
    const { userId, createdAt, updatedAt } = readOwn(request);
    return { user_id: userId, type: 'free', total: 0, balance: 0, created_at: createdAt, updated_at: updatedAt, finished_at: createdAt };
  });
}
