// /queue: what is playing in this server, and what is waiting.
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  ApplicationCommandType,
  ButtonStyle,
  ComponentType,
  InteractionContextType,
  MessageFlags,
  userMention,
} from 'discord.js';
import type { SlashCommand } from '../src/bot/command.ts';
import { COLOR, customId } from '../src/bot/discord-limits.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { asMarkdown } from '../src/text/untrusted-text.ts';
import type { QueueItem, Session, Sessions } from '../src/voice/types.ts';

const PAGE_SIZE = 10;

export const queue = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'queue',
    description: 'Show what is being said, and what waits for its turn',
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  async run(interaction, { sessions }) {
    await interaction.reply({ ...queueMessage(itemsOf(sessions.get(interaction.guildId ?? '')), 1), flags: MessageFlags.Ephemeral });
  },
  components: {
    /** `queue:button:page`; the queue as it is now. */
    queue: {
      async run(interaction, { sessions }, [, page]) {
        await interaction.update(queueMessage(itemsOf(sessions.get(interaction.guildId ?? '')), Number(page)));
      },
    },
  },
} satisfies SlashCommand<{ sessions: Sessions }>;

/** @throws UserError if there are none */
function itemsOf(session: Session | undefined): QueueItem[] {
  const items = session?.items() ?? [];
  if (items.length === 0) throw new UserError((t) => t.queue.empty);
  return items;
}

/** One page of the queue; the last one if it has become shorter. */
export function queueMessage(items: QueueItem[], wantedPage: number) {
  const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.floor(wantedPage) || 1), pages);
  const embed = {
    color: COLOR,
    title: en.queue.title(items.length),
    description: items
      .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
      .map(line)
      .join('\n'),
    ...(pages > 1 ? { footer: { text: en.queue.pageOf(page, pages) } } : {}),
  };
  return { embeds: [embed], components: pages > 1 ? [turners(page, pages)] : [] };
}

/** At most 300 characters. */
function line(item: QueueItem): string {
  const { voice = '', text = null } = item.label ?? {};
  const position = item.playing ? '▶' : `**${item.position}.**`;
  return [`${position} ${userMention(item.memberId)}`, asMarkdown(voice, 60), text === null ? '' : asMarkdown(text, 100)]
    .filter(Boolean)
    .join(' · ');
}

function turners(page: number, pages: number): APIActionRowComponent<APIButtonComponent> {
  const button = (name: string, label: string, to: number): APIButtonComponent => ({
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    label,
    custom_id: customId('queue', name, to),
    disabled: to < 1 || to > pages,
  });
  return {
    type: ComponentType.ActionRow,
    components: [button('previous', en.general.previousPage, page - 1), button('next', en.general.nextPage, page + 1)],
  };
}
