// A member at the keyboard of the local Discord, for tests: runs commands by name and waits for the results.
import {
  type APIComponentInMessageActionRow,
  type APIFileUploadComponent,
  type APIMessage,
  type APIMessageTopLevelComponent,
  type APISectionAccessoryComponent,
  type APISelectMenuComponent,
  type APITextInputComponent,
  ApplicationCommandType,
  ComponentType,
  MessageFlags,
  ApplicationCommandOptionType as OptionType,
  type RESTAPIPoll,
} from 'discord.js';
import type { LocalDiscord, MemberClient } from '../../src/local/discord/index.ts';
import { flattenComponents } from '../../src/local/discord/messages/component-tree.ts';
import { listSlashCommands } from '../../src/local/discord/page/composer/slash-commands.ts';
import type { Dispatch, FilledOption } from '../../src/local/discord/page/protocol.ts';
import type { ListenerStats } from '../../src/local/discord/voice/types.ts';
import { en } from '../../src/locales/index.ts';
import { createWaiter, type Waiter } from './waiter.ts';

type OptionValues = Record<string, string | number | boolean>;

type Modal = Extract<Dispatch, { t: 'INTERACTION_MODAL_CREATE' }>['d'];

/** A file with its name. */
type NamedFile = [name: string, bytes: Uint8Array];

export type MemberInteraction = ReturnType<typeof openInteraction>;

export interface Member extends ReturnType<typeof createActions> {
  /** The same member, typing in another visible channel. */
  inChannel(channelId: string): Member;
  /** The same member in direct messages with the application or another user. */
  inDm(userId?: string): Promise<Member>;
}

/** This member in #general of a guild, by default the first one, with the Lounge to join. */
export const memberOf = (discord: LocalDiscord, name?: string, options: Parameters<LocalDiscord['member']>[1] = {}): Member =>
  createMember(discord.member(name, options), discord.channelId('general', options.guildId), discord.channelId('Lounge', options.guildId));

/** `channelId` is the text channel that the member types in, `loungeId` the voice channel to join. */
export function createMember(line: MemberClient, channelId: string, loungeId: string): Member {
  return {
    ...createActions(line, channelId, loungeId),
    inChannel: (id) => createMember(line, id, loungeId),
    async inDm(userId) {
      const { application } = await line.call('hello', {});
      const { id } = await line.call('open_dm', { user_id: userId ?? application.id });
      return createMember(line, id, loungeId);
    },
  };
}

function createActions(line: MemberClient, channelId: string, loungeId: string) {
  const dispatches: Dispatch[] = [];
  const { notify, until } = createWaiter();
  line.onDispatch((dispatch) => {
    dispatches.push(dispatch);
    notify();
  });

  const listCommands = () => line.call('commands', { channel_id: channelId });

  /** What Discord is sent for a command; subcommands follow its name. */
  async function fillCommand(name: string, values: OptionValues) {
    const command = listSlashCommands(await listCommands()).find((one) => one.name === name);
    if (!command) throw new Error(`There is no command ${name} here.`);
    const options = Object.entries(values).map(([key, value]): FilledOption => {
      const option = command.options.find((one) => one.name === key);
      if (!option) throw new Error(`/${name} has no option ${key}.`);
      return { name: key, type: option.type, value };
    });
    return { channel_id: channelId, command_id: command.id, options: [...command.path, ...options] };
  }

  const interaction = (id: string) => openInteraction(id, dispatches, until);
  const uploadFile = (name: string, bytes: Uint8Array) =>
    line.upload(name, name.endsWith('.txt') ? 'text/plain' : `audio/${name.split('.').at(-1)}`, bytes).id;

  async function use(message: APIMessage, custom_id: string, component_type: number, values?: string[]) {
    const { interaction_id } = await line.call('click', {
      ...{ channel_id: message.channel_id, message_id: message.id, custom_id, component_type },
      ...(values && { values }),
    });
    return interaction(interaction_id);
  }

  async function runOn(type: ApplicationCommandType, name: string, target_id: string) {
    const command = (await listCommands()).find((one) => one.name === name && one.type === type);
    if (!command) throw new Error(`There is no command ${name} here.`);
    const { interaction_id } = await line.call('run_command', { channel_id: channelId, command_id: command.id, target_id });
    return interaction(interaction_id);
  }

  return {
    client: line,
    /** Subcommands follow the name: `run('settings export')`. */
    async run(name: string, values: OptionValues = {}) {
      const { interaction_id } = await line.call('run_command', await fillCommand(name, values));
      return interaction(interaction_id);
    },
    runOnMessage: (name: string, messageId: string) => runOn(ApplicationCommandType.Message, name, messageId),
    runOnMember: (name: string, userId: string) => runOn(ApplicationCommandType.User, name, userId),
    /** Presses a button, given (a part of) its label or its custom id. */
    async click(message: APIMessage, label: string) {
      const buttons = partsOf(message.components).filter((one) => one.type === ComponentType.Button);
      const button =
        buttons.find((one) => 'custom_id' in one && one.custom_id === label) ??
        buttons.find((one) => 'label' in one && one.label?.includes(label));
      if (!button || !('custom_id' in button)) throw new Error(`There is no button ${label}.`);
      return use(message, button.custom_id, button.type);
    },
    /** Chooses in a menu, given its placeholder or custom id; options of a text menu are given by value or label. */
    async select(message: APIMessage, name: string, values: string | string[]) {
      const menu = partsOf(message.components)
        .filter(isSelect)
        .find((one) => one.custom_id === name || one.placeholder === name);
      if (!menu) throw new Error(`There is no menu ${name}.`);
      return use(message, menu.custom_id, menu.type, valuesOf(menu, [values].flat()));
    },
    /** Fills in and submits a form, by custom id or label of each field; other fields keep their values. */
    async submitModal(form: MemberInteraction | Modal, fields: Record<string, string | string[]> = {}) {
      const modal = 'modal' in form ? await form.modal() : form;
      const filled = fieldsOf(modal).map(({ label, field }) => {
        const given = fields[field.custom_id] ?? fields[label];
        if (field.type === ComponentType.TextInput) return { custom_id: field.custom_id, value: String(given ?? field.value ?? '') };
        // Ids of uploads.
        if (field.type === ComponentType.FileUpload) return { custom_id: field.custom_id, values: [given ?? []].flat() };
        return { custom_id: field.custom_id, values: given === undefined ? defaultsOf(field) : valuesOf(field, [given].flat()) };
      });
      const unknown = Object.keys(fields).find(
        (key) => !fieldsOf(modal).some(({ label, field }) => key === label || key === field.custom_id),
      );
      if (unknown !== undefined) throw new Error(`The form has no field ${unknown}.`);
      const { interaction_id, channel_id, custom_id } = modal;
      const sent = await line.call('submit_modal', { channel_id, interaction_id, custom_id, fields: filled });
      return interaction(sent.interaction_id);
    },
    async autocomplete(name: string, option: string, typed: string, others: OptionValues = {}) {
      const command = await fillCommand(name, others);
      const focused = { name: option, type: OptionType.String, value: typed, focused: true };
      return line.call('autocomplete', { ...command, options: [...command.options, focused] });
    },
    /** Waits for any matching message that this member sees, new or changed since the member was created. */
    sees: (fits: (message: APIMessage) => boolean): Promise<APIMessage> =>
      until(
        () => dispatches.flatMap(({ t, d }) => ((t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE') && fits(d) ? [d] : [])).at(-1),
        () => `a message; there is ${JSON.stringify(dispatches.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' ? [textOf(d)] : [])))}`,
      ),
    /** Uploads a file and returns the id for an attachment option. */
    upload: uploadFile,
    /** Writes a message, as an answer to another if that is given. */
    write: (content: string, replyTo?: APIMessage) =>
      line.call('send_message', { channel_id: channelId, content, ...(replyTo && { reply_to: { message_id: replyTo.id } }) }),
    /** Changes the text of a message of their own. */
    edit: ({ id: message_id, channel_id }: APIMessage, content: string) => line.call('edit_message', { channel_id, message_id, content }),
    async delete({ id: message_id, channel_id }: APIMessage) {
      await line.call('delete_message', { channel_id, message_id });
    },
    /** Sends one of the standard stickers, by name. */
    async sendSticker(name: string) {
      const { stickerPacks } = await line.call('hello', {});
      const sticker = stickerPacks.flatMap(({ stickers }) => stickers).find((one) => one.name === name);
      if (!sticker) throw new Error(`There is no sticker ${name}.`);
      return line.call('send_message', { channel_id: channelId, sticker_ids: [sticker.id] });
    },
    sendPoll: (poll: RESTAPIPoll) => line.call('send_message', { channel_id: channelId, poll }),
    /** In the first guild; null is none. */
    async setNickname(nick: string | null) {
      const [guild] = (await line.call('hello', {})).guilds;
      await line.call('edit_member', { guild_id: guild?.id ?? '', user_id: line.userId, nick });
    },
    /** Sends a message with these files. */
    send: (...files: NamedFile[]) =>
      line.call('send_message', { channel_id: channelId, uploads: files.map((file) => uploadFile(...file)) }),
    /** @param seconds as the client tells Discord */
    sendVoiceMessage: (name: string, bytes: Uint8Array, seconds = 4) =>
      line.call('send_message', {
        channel_id: channelId,
        uploads: [uploadFile(name, bytes)],
        voice_message: { duration_secs: seconds, waveform: 'AAAA' },
      }),
    /** Joins a voice channel, `Lounge` by default. */
    async listen(voiceChannelId = loungeId) {
      const frames: Uint8Array[] = [];
      line.onHeard(({ opus }) => {
        if (opus.length > 3) frames.push(opus.slice());
      });
      await line.call('join_voice', { channel_id: voiceChannelId });
      return {
        /** Opus packets heard since then, without silence. */
        frames: () => frames,
        stats: () => line.voiceStats() ?? NOTHING_HEARD,
      };
    },
    async leaveVoice() {
      await line.call('join_voice', { channel_id: null });
    },
  };
}

/** What the member sees of one interaction. */
function openInteraction(id: string, dispatches: readonly Dispatch[], until: Waiter['until']) {
  const own = (message: APIMessage) => message.interaction_metadata?.id === id;
  const messages = () => {
    const state = new Map<string, APIMessage>();
    for (const { t, d } of dispatches) {
      if ((t === 'MESSAGE_CREATE' || t === 'MESSAGE_UPDATE') && own(d)) state.set(d.id, d);
      if (t === 'MESSAGE_DELETE') state.delete(d.id);
    }
    return [...state.values()];
  };
  const failure = () =>
    dispatches.find(
      (one): one is Extract<Dispatch, { t: 'INTERACTION_FAILURE' }> => one.t === 'INTERACTION_FAILURE' && one.d.interaction_id === id,
    );
  const seen = () => `an answer to ${id}; there is ${JSON.stringify(messages().map(textOf))} ${JSON.stringify(failure()?.d ?? '')}`;
  return {
    id,
    /** Current messages of the interaction, without deleted ones. */
    messages,
    /** Waits for a matching message of the interaction, new or changed. */
    message: (fits: (message: APIMessage) => boolean) => until(() => messages().find(fits), seen),
    /** Waits for the sentence that only this member sees. */
    async sentence() {
      // On a busy machine, a command may be said to have begun before it is answered.
      const isSentence = (message: APIMessage) =>
        isEphemeral(message) && !isLoading(message) && !['', en('general.started')].includes(textOf(message));
      return textOf(await until(() => messages().find(isSentence), seen));
    },
    /** Waits until one of its messages is deleted. */
    async deleted() {
      const created = () => dispatches.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' && own(d) ? [d.id] : []));
      await until(
        () => dispatches.find(({ t, d }) => t === 'MESSAGE_DELETE' && created().includes(d.id)),
        () => `a deletion of ${seen()}`,
      );
    },
    /** Waits for the form that it opens. */
    modal: () =>
      until(() => dispatches.flatMap(({ t, d }) => (t === 'INTERACTION_MODAL_CREATE' && d.interaction_id === id ? [d] : [])).at(-1), seen),
    /** Waits for any kind of answer, including an autocomplete or a change of a message. */
    async answered() {
      await until(() => dispatches.find(({ t, d }) => t === 'INTERACTION_SUCCESS' && d.interaction_id === id), seen);
    },
    /** Waits until it is certain that there will be no answer; returns the reason. */
    failed: async (): Promise<string> => (await until(failure, seen)).d.reason,
  };
}

type Part = APIMessageTopLevelComponent | APIComponentInMessageActionRow | APISectionAccessoryComponent;

/** Every component of a message, nested ones after those they lie in. */
export const partsOf = (components: readonly Part[] = []): Part[] => flattenComponents(components) as Part[];

function isSelect(component: { type: number }): component is APISelectMenuComponent {
  return component.type === ComponentType.StringSelect || (component.type >= 5 && component.type <= 8);
}

/** In text menus, options may be given by label. */
function valuesOf(menu: APISelectMenuComponent, wanted: string[]): string[] {
  if (menu.type !== ComponentType.StringSelect) return wanted;
  return wanted.map(
    (one) => (menu.options.find(({ value }) => value === one) ?? menu.options.find(({ label }) => label === one))?.value ?? one,
  );
}

function defaultsOf(menu: APISelectMenuComponent): string[] {
  if (menu.type === ComponentType.StringSelect) return menu.options.filter((option) => option.default).map(({ value }) => value);
  return (menu.default_values ?? []).map(({ id }) => id);
}

type Field = APITextInputComponent | APISelectMenuComponent | APIFileUploadComponent;

/** The fields of a form, in labels or in rows. */
function fieldsOf(modal: Modal): { label: string; field: Field }[] {
  return modal.components.flatMap((row) => {
    if (row.type === ComponentType.ActionRow) return row.components.map((field) => ({ label: field.label ?? '', field }));
    if (row.type !== ComponentType.Label) return [];
    const field = row.component;
    return field.type === ComponentType.TextInput || field.type === ComponentType.FileUpload || isSelect(field)
      ? [{ label: row.label, field }]
      : [];
  });
}

export const NOTHING_HEARD: ListenerStats = { packets: 0, decrypted: 0, silence: 0, early: 0, plaintext: 0, undecryptable: 0, lost: 0 };

export function isEphemeral(message: APIMessage): boolean {
  return ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
}

/** "… is thinking". */
export function isLoading(message: APIMessage): boolean {
  return ((message.flags ?? 0) & MessageFlags.Loading) !== 0;
}

/** The text displays of a message's cards. */
export function textsOf({ components }: { components?: readonly Part[] }): string[] {
  return partsOf(components).flatMap((part) => (part.type === ComponentType.TextDisplay ? [part.content] : []));
}

/** The small print at the end of a /say reply: voice, speed, how it is going. */
export function statusOf(message: APIMessage): string {
  return textsOf(message).at(-1)?.replace(/^-# /, '') ?? '';
}

/** All text of a message. */
export function textOf(message: APIMessage): string {
  const embeds = message.embeds.flatMap((embed) => [embed.author?.name, embed.title, embed.description, embed.footer?.text]);
  return [message.content, ...embeds, ...textsOf(message)].filter(Boolean).join('\n');
}

/** Labels of its buttons, and of its menus' options. */
export function labelsOf(message: APIMessage): string[] {
  return partsOf(message.components).flatMap((part) => {
    if (part.type === ComponentType.StringSelect) return part.options.map(({ label }) => label);
    return 'label' in part ? [part.label ?? ''] : [];
  });
}

/** The files of a message, attached to it or shown in a card. */
export function filesOf(message: APIMessage): { name: string; url: string }[] {
  const attached = message.attachments.map(({ filename, url }) => ({ name: filename, url }));
  const shown = partsOf(message.components).flatMap((part) =>
    part.type === ComponentType.File ? [{ name: part.name ?? '', url: part.file.url }] : [],
  );
  return [...attached, ...shown];
}
