// Discord's error answers: a status, a code of its own, and for forms the place of each fault.
export class DiscordProblem extends Error {
  readonly status: number;
  readonly code: number;
  readonly errors: object | undefined;
  constructor(status: number, code: number, message: string, errors?: object) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
  toJSON() {
    return { message: this.message, code: this.code, ...(this.errors ? { errors: this.errors } : {}) };
  }
}

export const problems = {
  unauthorized: () => new DiscordProblem(401, 0, '401: Unauthorized'),
  notFound: () => new DiscordProblem(404, 0, '404: Not Found'),
  unknownChannel: () => new DiscordProblem(404, 10003, 'Unknown Channel'),
  unknownGuild: () => new DiscordProblem(404, 10004, 'Unknown Guild'),
  unknownMember: () => new DiscordProblem(404, 10007, 'Unknown Member'),
  unknownMessage: () => new DiscordProblem(404, 10008, 'Unknown Message'),
  unknownRole: () => new DiscordProblem(404, 10011, 'Unknown Role'),
  unknownUser: () => new DiscordProblem(404, 10013, 'Unknown User'),
  unknownWebhook: () => new DiscordProblem(404, 10015, 'Unknown Webhook'),
  unknownInteraction: () => new DiscordProblem(404, 10062, 'Unknown interaction'),
  unknownCommand: () => new DiscordProblem(404, 10063, 'Unknown application command'),
  missingAccess: () => new DiscordProblem(403, 50001, 'Missing Access'),
  cannotSend: () => new DiscordProblem(403, 50007, 'Cannot send messages to this user'),
  invalidRecipients: () => new DiscordProblem(400, 50033, 'Invalid Recipient(s)'),
  notAuthor: () => new DiscordProblem(403, 50005, 'Cannot edit a message authored by another user'),
  notInVoice: () => new DiscordProblem(400, 40032, 'Target user is not connected to voice.'),
  unknownVoiceState: () => new DiscordProblem(404, 10065, 'Unknown Voice State'),
  missingPermissions: () => new DiscordProblem(403, 50013, 'Missing Permissions'),
  wrongChannelType: () => new DiscordProblem(400, 50024, 'Cannot execute action on this channel type'),
  invalidRole: () => new DiscordProblem(400, 50028, 'Invalid Role'),
  invalidToken: () => new DiscordProblem(401, 50027, 'Invalid Webhook Token'),
  emptyMessage: () => new DiscordProblem(400, 50006, 'Cannot send an empty message'),
  alreadyAcknowledged: () => new DiscordProblem(400, 40060, 'Interaction has already been acknowledged.'),
  cannotReply: () => new DiscordProblem(400, 160002, 'Cannot reply without permission to read message history'),
  voiceMessageContent: () => new DiscordProblem(400, 50160, 'Voice messages do not support additional content.'),
  voiceMessageAttachment: () => new DiscordProblem(400, 50161, 'Voice messages must have a single audio attachment.'),
  voiceMessageMetadata: () => new DiscordProblem(400, 50162, 'Voice messages must have supporting metadata.'),
  invalidVersion: () => new DiscordProblem(400, 50041, 'Invalid API version'),
  malformed: () => new DiscordProblem(400, 50109, 'The request body contains invalid JSON.'),
  tooManyCommands: () => new DiscordProblem(400, 30032, 'Maximum number of application commands reached (100)'),
  tooLarge: () => new DiscordProblem(413, 40005, 'Request entity too large'),
  tooManyFollowUps: () => new DiscordProblem(400, 40094, 'This interaction has reached the maximum number of follow-up messages'),
};

/** What came from outside and is checked here, field by field. */
// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it yet.
export type Form = Record<string, any>;

/** Collects the faults of one form, each at its path (`embeds.0.title`), as Discord nests them. */
export function createFormCheck() {
  const errors: Record<string, unknown> = {};
  return {
    fault(path: string, code: string, message: string) {
      let node = errors;
      for (const part of path.split('.')) {
        node[part] ??= {};
        node = node[part] as Record<string, unknown>;
      }
      node._errors = [...((node._errors as object[]) ?? []), { code, message }];
    },
    length(path: string, text: unknown, least: number, most: number) {
      if (typeof text !== 'string') this.fault(path, 'BASE_TYPE_REQUIRED', 'This field is required');
      else if (text.length < least || text.length > most)
        this.fault(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${least} and ${most} in length.`);
    },
    /** The objects of a list that may be left out; nothing where it is no list of objects. */
    list(path: string, value: unknown): Form[] {
      if (value == null) return [];
      if (Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)) return value;
      this.fault(path, 'LIST_TYPE_CONVERT', 'Only a list of objects may be used here.');
      return [];
    },
    problem: () => new DiscordProblem(400, 50035, 'Invalid Form Body', errors),
    /** @throws DiscordProblem 50035 where there was a fault. */
    done() {
      if (Object.keys(errors).length > 0) throw this.problem();
    },
  };
}

export type FormCheck = ReturnType<typeof createFormCheck>;
