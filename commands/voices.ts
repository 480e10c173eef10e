// /voices: the catalogue in pages. What a page needs to be turned travels with the message, so that it works after a restart.
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIEmbed,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ButtonStyle,
  ComponentType,
  escapeMarkdown,
  type MessageComponentInteraction,
  MessageFlags,
} from 'discord.js';
import type { ModelPage, VoiceModel } from '../src/api/index.ts';
import { type Context, type SlashCommand, UserError } from '../src/command.ts';
import { COLOR, customId, publicImage, truncate } from '../src/embed.ts';
import { sentences } from '../src/sentences/index.ts';

/** Five cards fit into the 6,000 characters of a message's embeds with room to spare. */
const PAGE_SIZE = 5;
const MAX_PAGE = 100_000;
const SORTS = ['score', 'task_count', 'created_at'] as const;

/** The options as given, by their names. Every page shows them, and is where the next one reads them. */
export interface Filters {
  title?: string;
  tag?: string;
  language?: string;
  title_language?: string;
  author?: string;
  mine?: boolean;
  sort?: (typeof SORTS)[number];
}

const text = (name: keyof Filters & string, description: string, max_length: number) =>
  ({ type: ApplicationCommandOptionType.String, name, description, max_length }) as const;

export const voices = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'voices',
    description: 'Browse the voices I can speak in',
    options: [
      text('title', 'Words of the title', 60),
      text('tag', 'Tags, separated by commas', 60),
      text('language', 'Languages spoken, such as en, de, separated by commas', 40),
      text('title_language', 'Languages of the title, separated by commas', 40),
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'mine',
        description: 'Only the own voices of the account I use (for whoever runs me)',
      },
      text('author', 'Id of an author', 60),
      {
        type: ApplicationCommandOptionType.String,
        name: 'sort',
        description: 'What comes first',
        choices: [
          { name: 'Best fitting', value: 'score' },
          { name: 'Most used', value: 'task_count' },
          { name: 'Newest', value: 'created_at' },
        ],
      },
      { type: ApplicationCommandOptionType.Integer, name: 'page', description: 'Page to begin with', min_value: 1, max_value: MAX_PAGE },
    ],
  },

  async run(interaction, context) {
    const { options } = interaction;
    const mine = options.getBoolean('mine') ?? false;
    const texts = ['title', 'tag', 'language', 'title_language', 'author', 'sort'].flatMap((name) => {
      const value = options.getString(name)?.trim();
      return value ? [[name, value]] : [];
    });
    const filters: Filters = { ...Object.fromEntries(texts), ...(mine ? { mine } : {}) };
    // The own voices may be private ones: they are not shown around.
    await interaction.deferReply(mine ? { flags: MessageFlags.Ephemeral } : {});
    if (mine && !(await context.isOperator(interaction.user.id))) throw new UserError(sentences.mineForOperators);
    await interaction.editReply(await page(context, filters, options.getInteger('page') ?? 1, interaction.user.id));
  },

  components: {
    /** `voices:button:page:owner`. */
    async voices(interaction, context, [, number, owner]) {
      if (interaction.user.id !== owner) throw new UserError(sentences.notYours('/voices'));
      await interaction.deferUpdate();
      const filters = readFilters(interaction);
      if (filters.mine && !(await context.isOperator(owner))) throw new UserError(sentences.mineForOperators);
      await interaction.editReply(await page(context, filters, Number(number), owner));
    },
  },
} satisfies SlashCommand;

async function page({ api, voiceTitles, signal }: Context, filters: Filters, number: number, owner: string) {
  const query = {
    title: filters.title ?? null,
    tag: several(filters.tag),
    language: several(filters.language),
    titleLanguage: several(filters.title_language),
    authorId: filters.author ?? null,
    self: filters.mine ?? false,
    sortBy: filters.sort ?? 'score',
  };
  const found = await api.listModels({ ...query, pageSize: PAGE_SIZE, pageNumber: number }, { signal });
  if (found.total === 0 && found.items.length === 0) throw new UserError(sentences.noVoices);
  const pages = Math.max(1, Math.ceil(found.total / PAGE_SIZE));
  if (found.items.length === 0) throw new UserError(sentences.pastTheEnd(number, pages));
  voiceTitles.remember(found.items);
  return voicesMessage(found, filters, number, owner);
}

/** `a, b` → both; nothing → null. */
function several(values: string | undefined): string[] | null {
  const list = (values ?? '').split(',').map((value) => value.trim());
  return list.some(Boolean) ? list.filter(Boolean) : null;
}

/** The message for one page: a head that says what is shown, a card for each voice, and the buttons. */
export function voicesMessage({ total, items }: ModelPage, filters: Filters, number: number, owner: string) {
  const pages = Math.max(1, number, Math.ceil(total / PAGE_SIZE));
  const head: APIEmbed = {
    color: COLOR,
    description: `${total === 1 ? 'One voice' : `${total} voices`} · page ${number} of ${pages}`,
    fields: Object.entries(filters).map(([name, value]) => ({ name, value: value === true ? OWN : escapeText(value), inline: true })),
  };
  return { embeds: [head, ...items.slice(0, PAGE_SIZE).map(card)], components: pages > 1 ? [buttons(number, pages, owner)] : [] };
}

/** How `mine` is shown. */
const OWN = 'yes';

/** @throws UserError where a moderator took the embeds away. */
function readFilters({ message }: MessageComponentInteraction): Filters {
  const [head] = message.embeds;
  if (!head) throw new UserError(sentences.expiredMessage);
  const { mine, sort, ...texts } = Object.fromEntries(head.fields.map(({ name, value }) => [name, unescapeText(value)]));
  const known = SORTS.find((name) => name === sort);
  return { ...texts, ...(mine ? { mine: true } : {}), ...(known ? { sort: known } : {}) };
}

/** Shown as it was typed, and got back as it was typed. */
function escapeText(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#:@-]/g, '\\$&');
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

/** At most 1,000 characters, so that five cards and the head stay under the limit. */
function card(voice: VoiceModel): APIEmbed {
  const cover = publicImage(voice.coverImage);
  const facts = [voice.languages.join(', '), voice.tags.join(', ')].filter(Boolean).map((fact) => truncate(escapeMarkdown(fact), 120));
  const lines = [
    truncate(escapeMarkdown(voice.description.replace(/\s+/g, ' ').trim()), 240),
    facts.join(' · '),
    `♥ ${voice.likeCount} · used ${voice.taskCount}× · \`${truncate(voice.id.replaceAll('`', "'"), 64)}\``,
  ];
  return {
    color: COLOR,
    title: truncate(escapeMarkdown(voice.title.trim()) || voice.id, 120),
    author: { name: truncate(`by ${voice.author.nickname.trim() || 'unknown'}`, 80) },
    description: lines.filter(Boolean).join('\n'),
    ...(cover ? { thumbnail: { url: cover } } : {}),
  };
}

function buttons(number: number, pages: number, owner: string): APIActionRowComponent<APIButtonComponent> {
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
      button('first', '« First', 1, number <= 1),
      button('previous', '‹ Previous', Math.max(1, number - 1), number <= 1),
      button('next', 'Next ›', number + 1, number >= pages),
      button('last', 'Last »', pages, number >= pages),
    ],
  };
}
