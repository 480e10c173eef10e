// The service's catalogue of voices: a page of it, and one voice in it.
import type { ModelPage, VoiceModel } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { asPlain } from '../text/untrusted-text.ts';
import type { VoicesContext } from './context.ts';
import { type Filters, PAGE_SIZE, toModelQuery } from './filters.ts';
import type { VoiceUser } from './owners.ts';
import { isPublic, MAX_TITLE_LENGTH } from './titles.ts';

type Dependencies = Pick<VoicesContext, 'api' | 'voiceTitles' | 'voiceOwners' | 'signal'>;

/** A page of the catalogue. */
interface CataloguePage {
  filters: Filters;
  page: number;
  /** Who sees it: voices that members made show only to those who may use them. */
  viewer: VoiceUser;
}

/** Voices asked for at once: all that a search finds, usually. */
const BATCH_SIZE = 100;

/**
 * A page of the voices to be shown: private ones only among the operators' own, those that cannot speak only on request. The service cannot
 * leave them out, so if it finds more than fit into one answer, the pages of it that have some come out shorter.
 * @throws UserError if there is no such page; ApiError, StoreError
 */
export async function listPage(context: Dependencies, { filters, page, viewer }: CataloguePage): Promise<ModelPage> {
  const { api, voiceTitles, voiceOwners, signal } = context;
  const shownOf = async (voices: VoiceModel[]) => {
    const candidates = voices.filter((voice) => (filters.mine || isPublic(voice)) && (filters.all || canSpeak(voice)));
    const usable = await Promise.all(candidates.map(({ id }) => voiceOwners.mayUse(id, viewer)));
    return candidates.filter((_, index) => usable[index]);
  };
  const pageOf = (voices: VoiceModel[]) => voices.slice(PAGE_SIZE * (page - 1), PAGE_SIZE * page);
  const { total, items: first } = await api.listModels(toModelQuery(filters, 1, BATCH_SIZE), { signal });
  await voiceTitles.remember(first);
  if (first.length >= total) {
    const shown = await shownOf(first);
    if (shown.length === 0) throw new UserError((t) => t.voices.noneFound, { isEmptyState: true });
    const items = pageOf(shown);
    if (items.length === 0) throw new UserError((t) => t.voices.pageOutOfRange(page, Math.ceil(shown.length / PAGE_SIZE)));
    return { total: shown.length, items };
  }
  const isThere = page * PAGE_SIZE <= first.length;
  const found = isThere ? pageOf(first) : (await api.listModels(toModelQuery(filters, page, PAGE_SIZE), { signal })).items;
  if (found.length === 0) throw new UserError((t) => t.voices.pageOutOfRange(page, Math.ceil(total / PAGE_SIZE)));
  await voiceTitles.remember(found);
  return { total, items: await shownOf(found) };
}

/**
 * The voice as the service has it now. The API cannot get a single voice: it is looked for near the page where it was seen, then on this
 * page alone, as services may return fewer at once than they are asked for, then by title, as others may have moved ahead of it.
 * @throws UserError if the service no longer lists it, or the viewer may not use it; ApiError, StoreError
 */
export async function findVoice(
  { api, voiceTitles, voiceOwners, signal }: Dependencies,
  seen: { id: string; title: string },
  { filters, page, viewer }: CataloguePage,
): Promise<VoiceModel> {
  const mayUse = await voiceOwners.mayUse(seen.id, viewer);
  const title = (voiceTitles.resolve(seen.id).title ?? seen.title).replace(/…$/, '').trim();
  const near = toModelQuery(filters, Math.ceil((page * PAGE_SIZE) / BATCH_SIZE), BATCH_SIZE);
  const there = toModelQuery(filters, page, PAGE_SIZE);
  for (const query of [near, there, { title, self: filters.mine ?? false, pageSize: BATCH_SIZE }]) {
    const { items } = await api.listModels(query, { signal });
    const model = items.find(({ id }) => id === seen.id);
    if (model && mayUse) return model;
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
