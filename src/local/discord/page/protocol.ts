// What a member's client (the page, or a test) and the local Discord exchange. Objects are Discord's own (discord-api-types).
//
// Transport: a WebSocket at `/member?key=…`, with the key from the page's address (LocalDiscord.pageUrl). Text frames carry
// JSON: the client sends a `Call`, the server sends a `Reply` with the same id, and a `Dispatch` whenever something happens.
// Binary frames (server → client) carry the voice that the member hears: see `encodeHeardPacket`.
// Files are uploaded before they are sent: POST /member/uploads?filename=…&key=… with the bytes as body → Upload.
import type {
  APIApplicationCommand,
  APIApplicationCommandOptionChoice,
  APIChannel,
  APIDMChannel,
  APIGuild,
  APIGuildMember,
  APIMessage,
  APIModalInteractionResponseCallbackData,
  APIRole,
  APIStickerPack,
  APIThreadChannel,
  APIUser,
  APIVoiceState,
  Locale,
  RESTAPIPoll,
} from 'discord-api-types/v10';

/** The largest file that is stored, in bytes. */
export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;

/** The response to POST /member/uploads. */
export interface Upload {
  id: string;
  filename: string;
  size: number;
  content_type: string;
  url: string;
}

/** The value of an attachment option is the id of an Upload. A group and a subcommand come first, with the value ''. */
export interface FilledOption {
  name: string;
  type: number;
  value: string | number | boolean;
  focused?: boolean;
}

/** Everything a member can do. */
export interface Methods {
  /** The first call. */
  hello: {
    params: { /** The browser's (BCP 47): the member's from their first visit on, unless they choose another. */ language?: string };
    result: Snapshot;
  };
  /** The application's commands that are available to the member in this channel. */
  commands: { params: { channel_id: string }; result: APIApplicationCommand[] };
  /** Sets the language of the member's Discord, in all their clients. */
  set_locale: { params: { locale: Locale }; result: null };
  /** Opens the direct messages with a user, if they are not open yet. */
  open_dm: { params: { user_id: string }; result: APIDMChannel };
  /** The latest messages of a channel, oldest first, including the member's own ephemeral ones. */
  messages: { params: { channel_id: string; limit?: number }; result: APIMessage[] };
  send_message: {
    params: {
      channel_id: string;
      content?: string;
      uploads?: string[];
      /** Makes the single upload a voice message (flag 1<<13). waveform: base64 of up to 256 bytes. */
      voice_message?: { duration_secs: number; waveform: string };
      /** Its author is mentioned by default. */
      reply_to?: { message_id: string; mention?: boolean };
      /** One of the standard stickers. */
      sticker_ids?: string[];
      /** Open for 24 hours unless it says otherwise. */
      poll?: RESTAPIPoll;
    };
    result: APIMessage;
  };
  forward_message: { params: { channel_id: string; message_id: string; to_channel_id: string }; result: APIMessage };
  /** Only the member's own. */
  edit_message: { params: { channel_id: string; message_id: string; content: string }; result: APIMessage };
  delete_message: { params: { channel_id: string; message_id: string }; result: null };
  /** These answers become the member's only ones; none takes the vote back. */
  vote: { params: { channel_id: string; message_id: string; answer_ids: number[] }; result: null };
  /** Only the member's own. */
  end_poll: { params: { channel_id: string; message_id: string }; result: null };
  /** `message_id`: of the message that it begins with. */
  create_thread: { params: { channel_id: string; message_id?: string; name: string }; result: APIThreadChannel };
  archive_thread: { params: { channel_id: string; archived: boolean }; result: null };
  /** `emoji`: a character, or `name:id` of a server's own. */
  add_reaction: { params: { channel_id: string; message_id: string; emoji: string }; result: null };
  remove_reaction: { params: { channel_id: string; message_id: string; emoji: string }; result: null };
  /** Any command; target_id is the user or message of a context menu command. Returns once the bot has been sent it, not once it responds. */
  run_command: {
    params: { channel_id: string; command_id: string; options?: FilledOption[]; target_id?: string };
    result: { interaction_id: string };
  };
  autocomplete: {
    params: { channel_id: string; command_id: string; options: FilledOption[] };
    result: APIApplicationCommandOptionChoice[];
  };
  click: {
    params: { channel_id: string; message_id: string; custom_id: string; component_type: number; values?: string[] };
    result: { interaction_id: string };
  };
  submit_modal: {
    params: {
      channel_id: string;
      interaction_id: string;
      custom_id: string;
      /** `value` for a text input, `values` for a select menu, or for a file upload: the ids of Uploads. */
      fields: { custom_id: string; value?: string; values?: string[] }[];
    };
    result: { interaction_id: string };
  };
  /** Other members chat in this channel by themselves until they are told to stop (null), they have had enough, or this client closes. */
  set_crowd: { params: { channel_id: string | null }; result: null };
  /**
   * Other members join this member's voice channel and talk, one after another or all at once, until they are told to stop (null), they have had
   * enough, or this member leaves.
   */
  set_talkers: { params: { mode: TalkMode | null }; result: null };
  /**
   * Joins a voice channel, or leaves it (null). From then on binary frames carry its sound, and those that the page sends what the member says:
   * an Opus packet each, and an empty one when they fall silent.
   */
  join_voice: { params: { channel_id: string | null; self_mute?: boolean; self_deaf?: boolean }; result: null };
  /** Mutes or deafens oneself; nothing happens outside voice. */
  set_voice: { params: { self_mute?: boolean; self_deaf?: boolean }; result: null };
  /** As a moderator, but for one's own `nick`, of which null is none; a `channel_id` of null disconnects, and `communication_disabled_until` (ISO 8601) is a timeout, ended by null. */
  edit_member: {
    params: {
      guild_id: string;
      user_id: string;
      nick?: string | null;
      mute?: boolean;
      deaf?: boolean;
      channel_id?: string | null;
      communication_disabled_until?: string | null;
    };
    result: null;
  };
}

/** One at a time, or each whenever they like. */
export type TalkMode = 'in turn' | 'at once';

export type Method = keyof Methods;
export type Call = { [M in Method]: { id: number; method: M; params: Methods[M]['params'] } }[Method];
export type Reply = { id: number; result: unknown } | { id: number; error: string };

export interface Snapshot {
  user: APIUser;
  locale: Locale;
  /** The application, even if it is not a member of a guild. */
  application: APIUser;
  introduction: Introduction;
  /** The member's home guild first. */
  guilds: MemberGuild[];
  /** The direct messages that are open. */
  dms: APIDMChannel[];
  /** The stickers that everybody may send. */
  stickerPacks: APIStickerPack[];
  /** Those of the first guild; for other channels, see the method `commands`. */
  commands: APIApplicationCommand[];
}

/** What the page tells newcomers about the application, in the member's language. */
export interface Introduction extends Texts {
  /** Whether other members can talk in voice channels. */
  othersTalk: boolean;
}

/** All of it is plain text. */
export interface Texts {
  /** One line on what the application is; may be empty. */
  description: string;
  /** What it is connected to, such as "The voices are stand-ins …"; null if there is nothing to say. */
  note: string | null;
  /** Shown once all first steps are done; may be empty. */
  farewell: string;
  /** What the first steps are called; what is above them, above those after the first, and on the button that dismisses them. */
  stepsTitles: { name: string; begin: string; next: string; dismiss: string };
  /** Suggested in this order; those after the first command only once that was answered. If empty, the page suggests a command itself. */
  firstSteps: FirstStep[];
}

/** Something to try, begun with one click. Each disappears once done. */
export type FirstStep =
  /** Its label has `{channel}` where the name of the channel goes. */
  | { kind: 'join_voice'; label: string }
  /** Opens a slash command with these texts in its options. */
  | { kind: 'command'; label: string; command: string; fill?: Record<string, string> }
  /** Runs a slash command without options in the chat of the voice channel, and has other members talk there. */
  | { kind: 'talk'; label: string; command: string }
  /** Records a voice message. */
  | { kind: 'record'; label: string }
  /** Runs a message command on the last message of the channel that has sound; not suggested while there is none. */
  | { kind: 'message_command'; label: string; command: string };

export interface MemberGuild extends Omit<APIGuild, 'permissions' | 'channels' | 'threads' | 'members' | 'voice_states'> {
  /** The member's own, without the overwrites of channels. */
  permissions: string;
  channels: APIChannel[];
  /** Those that are not archived. */
  threads: APIThreadChannel[];
  members: APIGuildMember[];
  voice_states: APIVoiceState[];
  /** By channel; only those that have one. */
  voice_statuses: Record<string, string>;
}

/** Sent whenever something happens; named as in Discord's gateway if it has such an event. */
export type Dispatch =
  | { t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE'; d: APIMessage }
  | { t: 'MESSAGE_DELETE'; d: { id: string; channel_id: string } }
  | { t: 'MESSAGE_DELETE_BULK'; d: { ids: string[]; channel_id: string } }
  | { t: 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE'; d: ReactionChange & { user_id: string; emoji: ReactionEmoji } }
  | { t: 'MESSAGE_REACTION_REMOVE_EMOJI'; d: ReactionChange & { emoji: ReactionEmoji } }
  | { t: 'MESSAGE_REACTION_REMOVE_ALL'; d: ReactionChange }
  | { t: 'MESSAGE_POLL_VOTE_ADD' | 'MESSAGE_POLL_VOTE_REMOVE'; d: ReactionChange & { user_id: string; answer_id: number } }
  | { t: 'CHANNEL_UPDATE' | 'CHANNEL_DELETE'; d: APIChannel }
  | { t: 'THREAD_CREATE' | 'THREAD_UPDATE'; d: APIThreadChannel }
  | { t: 'THREAD_DELETE'; d: { id: string; guild_id: string; parent_id: string } }
  | { t: 'VOICE_STATE_UPDATE'; d: APIVoiceState }
  | { t: 'VOICE_CHANNEL_STATUS_UPDATE'; d: { id: string; guild_id: string; status: string | null } }
  | { t: 'SPEAKING'; d: { user_id: string; speaking: boolean } }
  | { t: 'TYPING_START'; d: { user_id: string; channel_id: string } }
  | { t: 'GUILD_MEMBER_ADD' | 'GUILD_MEMBER_UPDATE'; d: APIGuildMember & { guild_id: string } }
  | { t: 'GUILD_MEMBER_REMOVE'; d: { user: APIUser; guild_id: string } }
  | { t: 'GUILD_ROLE_CREATE' | 'GUILD_ROLE_UPDATE'; d: { guild_id: string; role: APIRole } }
  | { t: 'GUILD_UPDATE'; d: Partial<MemberGuild> & { id: string } }
  /** How the members of `set_talkers` talk; null once they have left. `failure`: a sentence, if it ended with one. */
  | { t: 'TALKERS_UPDATE'; d: { mode: TalkMode | null; failure?: string } }
  /** Why a bot can't be in a voice channel: its library would wait there without a word. */
  | { t: 'VOICE_WARNING'; d: { sentence: string } }
  /** Where the crowd of `set_crowd` chats; null once it has ended. */
  | { t: 'CROWD_UPDATE'; d: { channel_id: string | null } }
  /** The member has chosen another language, in this client or another. */
  | { t: 'USER_SETTINGS_UPDATE'; d: { locale: Locale } }
  /** What the page says of the application is another: the language, or the application. */
  | { t: 'INTRODUCTION_UPDATE'; d: Introduction }
  /** The commands of the first guild; those of other channels may have changed, too. */
  | { t: 'COMMANDS_UPDATE'; d: APIApplicationCommand[] }
  /** Whether the application has a gateway session. */
  | { t: 'PRESENCE_UPDATE'; d: { user_id: string; status: 'online' | 'offline' } }
  | { t: 'INTERACTION_MODAL_CREATE'; d: APIModalInteractionResponseCallbackData & { interaction_id: string; channel_id: string } }
  /** The bot responded in time; deferring counts. */
  | { t: 'INTERACTION_SUCCESS'; d: { interaction_id: string } }
  /** "The application did not respond": within 3 s, or because it was offline. */
  | { t: 'INTERACTION_FAILURE'; d: { interaction_id: string; reason: string } };

/** `id`: null for a character. */
export interface ReactionEmoji {
  id: string | null;
  name: string;
}

interface ReactionChange {
  channel_id: string;
  message_id: string;
}

/** One Opus packet, already decrypted. */
export interface HeardPacket {
  user_id: string;
  /** RTP sequence number (16 bit) and timestamp (48 kHz, 32 bit). */
  sequence: number;
  timestamp: number;
  opus: Uint8Array;
}

/** Layout: user id (8 bytes, big-endian) · sequence (2) · timestamp (4) · Opus packet. */
export function encodeHeardPacket({ user_id, sequence, timestamp, opus }: HeardPacket): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(14 + opus.length);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(user_id));
  view.setUint16(8, sequence);
  view.setUint32(10, timestamp);
  bytes.set(opus, 14);
  return bytes;
}

export function decodeHeardPacket(bytes: ArrayBuffer): HeardPacket {
  const view = new DataView(bytes);
  return {
    user_id: view.getBigUint64(0).toString(),
    sequence: view.getUint16(8),
    timestamp: view.getUint32(10),
    opus: new Uint8Array(bytes, 14),
  };
}
