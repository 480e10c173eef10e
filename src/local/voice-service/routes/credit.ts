// GET /wallet/{user_id}/api-credit: the balance.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { creditQuery, type WalletEntity } from '../../../api/schemas.ts';
import { callOf } from '../auth.ts';
import { httpError, parseWith, quote } from '../http-error.ts';
import type { Wallet } from '../wallet.ts';

const creditPath = z.object({ user_id: z.string().regex(/^[\w.@-]{1,64}$/, 'Must be a user id, or self') });

export function creditRoute(app: FastifyInstance, wallet: Wallet): void {
  app.get('/wallet/:user_id/api-credit', async (request): Promise<WalletEntity> => {
    const { userId } = callOf(request);
    const requested = parseWith(creditPath, request.params, 'path').user_id;
    const { check_free_credit } = parseWith(creditQuery, request.query, 'query');
    const row = wallet.read(requested === 'self' ? userId : requested);
    if (!row) throw httpError(404, `There is no user ${quote(requested)}. Use self for the wallet behind your key.`);
    if (row.userId !== userId) throw httpError(403, 'This is the wallet of another user. Use self for the wallet behind your key.');
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
}
