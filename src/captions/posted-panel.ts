// The panel of captions in the channel: edited as what it shows changes, replaced when it is old, and left with what stays at the end.
import { type GuildTextBasedChannel, messageLink, SnowflakeUtil } from 'discord.js';
import { createInTurn } from '../async/waiting.ts';
import { asEdit, type CardMessage } from '../discord/cards.ts';
import { describeError } from '../discord/errors.ts';
import type { Translator } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { WordsChannel } from '../posted-words/channel.ts';
import type { CaptionsTiming } from './context.ts';
import { captionsPanel, earlierPanel, endedPanel, type PanelState } from './panel.ts';

/** Milliseconds between two changes of the panel, which count towards the same limit as the captions'. */
const PANEL_MS = 10_000;
/**
 * The age of a panel, in milliseconds, from which another one is posted: Discord limits edits of messages that are over an hour old (30046), and
 * discord.js then holds up all other edits in the channel. https://github.com/discord/discord-api-docs/issues/4413
 */
const PANEL_AGE_MS = 55 * 60_000;

interface PostedPanel {
  /** The id of the latest panel. */
  readonly id: string;
  readonly link: string;
  /** Whether this message is one of these captions' panels, the latest or one before. */
  has(messageId: string): boolean;
  /** Shows soon what has changed, while captions are on. */
  show(): void;
  /** Shows at this time, in milliseconds since 1970, what will have changed by then; forgets an earlier such time. */
  showAt(time: number): void;
  /** Shows no more changes. */
  stop(): void;
  /** Shows that captions have ended. Never rejects. */
  showEnd(): Promise<void>;
}

interface PostedPanelOptions {
  guildId: string;
  text: GuildTextBasedChannel;
  channel: WordsChannel;
  /** The ids of the first and the latest panel so far. */
  ids: readonly [first: string, latest: string];
  /** In the server's language, which may change. */
  translator(): Translator;
  state(): PanelState;
  /** Captions are on here. */
  isOpen(): boolean;
  /** Captions are over, for every process. */
  hasEnded(): boolean;
  /** Stores the id of a new panel. Never rejects. */
  save(): Promise<void>;
  log: Log;
  /** Milliseconds since 1970. */
  now(): number;
  timing: Pick<CaptionsTiming, 'panelMs' | 'panelAgeMs'>;
}

export function createPostedPanel(options: PostedPanelOptions): PostedPanel {
  const { guildId, text, channel, translator, state, isOpen, hasEnded, save, log, now, timing } = options;
  const ids = new Set(options.ids);
  let [, latest] = options.ids;
  let timer: NodeJS.Timeout | undefined;
  let laterTimer: NodeJS.Timeout | undefined;
  let shown = '';
  const inTurn = createInTurn();
  const link = () => messageLink(text.id, latest, guildId);

  /** Never rejects. */
  async function edit(panel: CardMessage): Promise<void> {
    const changed = JSON.stringify(panel);
    if (changed === shown) return;
    shown = changed;
    await channel
      .change(() => text.messages.edit(latest, asEdit(panel)))
      .catch((error: unknown) => log.debug(describeError(error), 'could not change the panel of captions'));
  }

  /** Never rejects. */
  async function update(): Promise<void> {
    const panel = captionsPanel(translator(), state());
    if (!isOpen() || JSON.stringify(panel) === shown) return;
    const isOld = now() - SnowflakeUtil.timestampFrom(latest) >= (timing.panelAgeMs ?? PANEL_AGE_MS);
    await (isOld ? replace(panel) : edit(panel));
  }

  /** Never rejects. */
  async function replace(panel: CardMessage): Promise<void> {
    const before = latest;
    try {
      // If this process ends before that is stored, the next one gets the same message.
      const { id } = await text.send({ ...panel, nonce: `panel${before}`, enforceNonce: true });
      if (hasEnded()) await text.messages.delete(id);
      // Otherwise another process is taking over.
      if (!isOpen()) return;
      latest = id;
      ids.add(id);
      shown = JSON.stringify(panel);
      await save();
      const { voiceChannelId } = state();
      await channel.change(() => text.messages.edit(before, asEdit(earlierPanel(translator(), { voiceChannelId, link: link() }))));
    } catch (error) {
      log.debug(describeError(error), 'could not replace the panel of captions');
    }
  }

  function show(): void {
    if (!isOpen() || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void inTurn(update);
    }, timing.panelMs ?? PANEL_MS);
  }

  return {
    get id() {
      return latest;
    },
    get link() {
      return link();
    },
    has: (messageId) => ids.has(messageId),
    show,
    showAt(time) {
      if (!isOpen()) return;
      clearTimeout(laterTimer);
      laterTimer = setTimeout(show, time - now() + 1).unref();
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(laterTimer);
    },
    showEnd: () => inTurn(() => edit(endedPanel(translator(), state()))),
  };
}
