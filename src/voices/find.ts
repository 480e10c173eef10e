// Voices of the catalogue: a page of them, and one of them again.
import type { ModelPage, VoiceModel } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import { asPlain } from '../text/untrusted-text.ts';
import type { VoicesContext } from './context.ts';
import { type Filters, PAGE_SIZE, queryOf } from './filters.ts';
import { isPublic, LONGEST_TITLE } from './titles.ts';

type Powers = Pick<VoicesContext, 'api' | 'voiceTitles' | 'signal'>;

/** How far is looked for a voice that has left its page. */
const SEARCH_SIZE = 100;

/**
 * Private voices are on pages of the own ones alone. The service lists them to the account they belong to whatever is asked, so that
 * another page may come out shorter. @throws UserError where there is nothing on it; ApiError
 */
export async function listPage({ api, voiceTitles, signal }: Powers, filters: Filters, page: number): Promise<ModelPage> {
  const found = await api.listModels(queryOf(filters, page), { signal });
  if (found.total <= 0 && found.items.length === 0) throw new UserError(en.voices.noneFound);
  if (found.items.length === 0) throw new UserError(en.voices.pageOutOfRange(page, Math.max(1, Math.ceil(found.total / PAGE_SIZE))));
  voiceTitles.remember(found.items);
  if (filters.mine) return found;
  const items = found.items.filter(isPublic);
  const isOnlyPage = found.total <= PAGE_SIZE;
  if (isOnlyPage && items.length === 0) throw new UserError(en.voices.noneFound);
  return { total: isOnlyPage ? items.length : found.total, items };
}

/**
 * The voice as the service has it now. There is no call for a single one: it is looked for on the page where it was seen, then by its
 * title, for others may have come before it. @throws UserError where the service lists it no more; ApiError
 */
export async function findVoice(
  { api, voiceTitles, signal }: Powers,
  seen: { id: string; title: string },
  filters: Filters,
  page: number,
): Promise<VoiceModel> {
  const title = (voiceTitles.resolve(seen.id).title ?? seen.title).replace(/…$/, '').trim();
  const byTitle = { title, self: filters.mine ?? false, pageSize: SEARCH_SIZE };
  for (const query of [queryOf(filters, page), byTitle]) {
    const { items } = await api.listModels(query, { signal });
    const model = items.find(({ id }) => id === seen.id);
    if (model) return model;
  }
  throw new UserError(en.voices.gone(title || seen.id));
}

/** Can texts be spoken in it? */
export function canSpeak({ type, state }: VoiceModel): boolean {
  return type === 'tts' && state === 'trained';
}

/** Never blank, which Discord would refuse; services have had blank titles, and ids are theirs to choose. */
export function titleOf({ title, id }: Pick<VoiceModel, 'title' | 'id'>): string {
  return asPlain(title, LONGEST_TITLE) || asPlain(id, LONGEST_TITLE) || '?';
}
