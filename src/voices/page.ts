// The view of a page of the catalogue: a header, a card for each voice, and buttons for other pages.
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIEmbed,
  type APIStringSelectComponent,
  AttachmentBuilder,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { ModelPage, VoiceModel } from '../api/index.ts';
import { COLOR, customId, limits } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import { asCode, asList, asMarkdown } from '../text/untrusted-text.ts';
import { canSpeak, listPage, titleOf } from './catalogue.ts';
import type { VoicesContext } from './context.ts';
import { type Cover, loadCovers } from './covers.ts';
import { countPages, type Filters, listHeader, PAGE_SIZE } from './filters.ts';

const words = en.voices;

/** @throws UserError if the page is empty; ApiError */
export async function loadPage(context: VoicesContext, filters: Filters, page: number, ownerId: string) {
  const found = await listPage(context, filters, page);
  return voicesMessage(found, filters, page, ownerId, await loadCovers(context.safeFetch, found.items, context.signal));
}

/** @param covers of the voices, in order; null or absent = none */
export function voicesMessage({ total, items }: ModelPage, filters: Filters, page: number, owner: string, covers: (Cover | null)[] = []) {
  const shown = items.slice(0, PAGE_SIZE);
  const pages = countPages(total, page);
  const menu = voiceMenu(shown, page, owner);
  return {
    embeds: [listHeader(filters, total, page), ...shown.map((voice, index) => card(voice, covers[index] ?? null))],
    components: [...(menu ? [menu] : []), ...(pages > 1 ? [pageButtons(page, pages, owner)] : [])],
    ...coverFiles(covers),
  };
}

/** Replaces all files that the message had before. */
export function coverFiles(covers: (Cover | null)[]) {
  return {
    files: covers.flatMap((cover) =>
      cover?.file ? [new AttachmentBuilder(Buffer.from(cover.file.bytes), { name: cover.file.name })] : [],
    ),
    attachments: [],
  };
}

/** At most 1,000 characters, so that five cards and the header stay under the limit. */
function card(voice: VoiceModel, cover: Cover | null): APIEmbed {
  const facts = [asList(voice.languages, 120), asList(voice.tags, 120)].filter(Boolean);
  const lines = [
    asMarkdown(voice.description, 240),
    canSpeak(voice) ? '' : `-# ${whyCannotSpeak(voice)}`,
    facts.join(' · '),
    `${words.counts(voice.likeCount, voice.taskCount)} · ${asCode(voice.id, 64)}`,
  ];
  return {
    color: COLOR,
    title: asMarkdown(titleOf(voice), 120),
    author: { name: words.by(voice.author.nickname) },
    description: lines.filter(Boolean).join('\n'),
    ...(cover ? { thumbnail: { url: cover.url } } : {}),
  };
}

/** Why no text can be spoken in it. */
export function whyCannotSpeak({ type, state }: VoiceModel): string {
  return type === 'tts' ? words.notReady(state) : words.sings;
}

/** Ids are menu values and are shown; a voice whose id Discord would alter cannot be opened. */
const READABLE_ID = /^[^\s`\p{C}]+$/u;

function voiceMenu(shown: VoiceModel[], page: number, owner: string): APIActionRowComponent<APIStringSelectComponent> | null {
  const byId = new Map(shown.map((voice) => [voice.id, voice]));
  const options = [...byId.values()].flatMap((voice) =>
    READABLE_ID.test(voice.id) && voice.id.length <= limits.choiceValue
      ? [
          {
            label: titleOf(voice),
            value: voice.id,
            description: words.by(voice.author.nickname),
          },
        ]
      : [],
  );
  if (options.length === 0) return null;
  const menu = {
    type: ComponentType.StringSelect as const,
    custom_id: customId('voices-open', page, owner),
    placeholder: words.open,
    options,
  };
  return { type: ComponentType.ActionRow, components: [menu] };
}

function pageButtons(page: number, pages: number, owner: string): APIActionRowComponent<APIButtonComponent> {
  const button = (name: string, label: string, to: number, disabled: boolean): APIButtonComponent => ({
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    label,
    custom_id: customId('voices', name, to, owner),
    disabled,
  });
  return {
    type: ComponentType.ActionRow,
    components: [
      button('first', words.first, 1, page <= 1),
      button('previous', en.general.previousPage, Math.max(1, page - 1), page <= 1),
      button('next', en.general.nextPage, page + 1, page >= pages),
      button('last', words.last, pages, page >= pages),
    ],
  };
}
