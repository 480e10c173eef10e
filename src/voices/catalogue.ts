// The service's catalogue of voices: a page of it, and one voice in it.
import type { ModelPage, VoiceModel } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { asPlain } from '../text/untrusted-text.ts';
import type { VoicesContext } from './context.ts';
import { type Filters, PAGE_SIZE, toModelQuery } from './filters.ts';
import { isPublic, MAX_TITLE_LENGTH } from './titles.ts';

type Dependencies = Pick<VoicesContext, 'api' | 'voiceTitles' | 'signal'>;

/** How many voices are searched for one that has left its page. */
const SEARCH_SIZE = 100;

/**
 * Private voices are shown only among the operators' own. The service lists them to the account they belong to whatever the query, so
 * other pages may come out shorter. @throws UserError if the page is empty; ApiError
 */
export async function listPage({ api, voiceTitles, signal }: Dependencies, filters: Filters, page: number): Promise<ModelPage> {
  const found = await api.listModels(toModelQuery(filters, page), { signal });
  if (found.total <= 0 && found.items.length === 0) throw new UserError((t) => t.voices.noneFound);
  if (found.items.length === 0) throw new UserError((t) => t.voices.pageOutOfRange(page, Math.max(1, Math.ceil(found.total / PAGE_SIZE))));
  voiceTitles.remember(found.items);
  if (filters.mine) return found;
  const items = found.items.filter(isPublic);
  const isOnlyPage = found.total <= PAGE_SIZE;
  if (isOnlyPage && items.length === 0) throw new UserError((t) => t.voices.noneFound);
  return { total: isOnlyPage ? items.length : found.total, items };
}

/**
 * The voice as the service has it now. The API cannot get a single voice: it is looked for on the page where it was seen, then by title, as
 * others may have moved ahead of it. @throws UserError if the service no longer lists it; ApiError
 */
export async function findVoice(
  { api, voiceTitles, signal }: Dependencies,
  seen: { id: string; title: string },
  filters: Filters,
  page: number,
): Promise<VoiceModel> {
  const title = (voiceTitles.resolve(seen.id).title ?? seen.title).replace(/…$/, '').trim();
  const byTitle = { title, self: filters.mine ?? false, pageSize: SEARCH_SIZE };
  for (const query of [toModelQuery(filters, page), byTitle]) {
    const { items } = await api.listModels(query, { signal });
    const model = items.find(({ id }) => id === seen.id);
    if (model) return model;
  }
  throw new UserError((t) => t.voices.gone(title || seen.id));
}

/** @throws UserError if a member who is no operator asks for the operators' own voices */
export async function checkMine(filters: Filters, { isOperator }: Pick<VoicesContext, 'isOperator'>, userId: string): Promise<void> {
  if (filters.mine && !(await isOperator(userId))) throw new UserError((t) => t.voices.ownVoicesForOperators);
}

/** Whether texts can be spoken in it. */
export function canSpeak({ type, state }: VoiceModel): boolean {
  return type === 'tts' && state === 'trained';
}

/** Never blank, which Discord would reject; services have blank titles, and choose ids as they like. */
export function titleOf({ title, id }: Pick<VoiceModel, 'title' | 'id'>): string {
  return asPlain(title, MAX_TITLE_LENGTH) || asPlain(id, MAX_TITLE_LENGTH) || '?';
}
