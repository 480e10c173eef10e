// Discord's error responses: HTTP status, JSON error code and message.
// https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
export class DiscordError extends Error {
  readonly status: number;
  readonly code: number;
  /** The validation errors of each field, nested as in the request body. */
  readonly errors: object | undefined;
  constructor(status: number, code: number, message: string, errors?: object) {
    super(message);
    this.name = 'DiscordError';
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
  toJSON() {
    return { message: this.message, code: this.code, ...(this.errors && { errors: this.errors }) };
  }
}

export const discordErrors = {
  unauthorized: () => new DiscordError(401, 0, '401: Unauthorized'),
  notFound: () => new DiscordError(404, 0, '404: Not Found'),
  unknownChannel: () => new DiscordError(404, 10003, 'Unknown Channel'),
  unknownGuild: () => new DiscordError(404, 10004, 'Unknown Guild'),
  unknownMember: () => new DiscordError(404, 10007, 'Unknown Member'),
  unknownMessage: () => new DiscordError(404, 10008, 'Unknown Message'),
  unknownRole: () => new DiscordError(404, 10011, 'Unknown Role'),
  unknownUser: () => new DiscordError(404, 10013, 'Unknown User'),
  unknownEmoji: () => new DiscordError(400, 10014, 'Unknown Emoji'),
  unknownGuildEmoji: () => new DiscordError(404, 10014, 'Unknown Emoji'),
  unknownWebhook: () => new DiscordError(404, 10015, 'Unknown Webhook'),
  unknownSticker: () => new DiscordError(404, 10060, 'Unknown sticker'),
  unknownInteraction: () => new DiscordError(404, 10062, 'Unknown interaction'),
  unknownCommand: () => new DiscordError(404, 10063, 'Unknown application command'),
  unknownVoiceState: () => new DiscordError(404, 10065, 'Unknown Voice State'),
  tooManyReactions: () => new DiscordError(400, 30010, 'Maximum number of reactions reached (20)'),
  tooManyCommands: () => new DiscordError(400, 30032, 'Maximum number of application commands reached (100)'),
  tooLarge: () => new DiscordError(413, 40005, 'Request entity too large'),
  notInVoice: () => new DiscordError(400, 40032, 'Target user is not connected to voice.'),
  alreadyAcknowledged: () => new DiscordError(400, 40060, 'Interaction has already been acknowledged.'),
  tooManyFollowUps: () => new DiscordError(400, 40094, 'This interaction has reached the maximum number of follow-up messages'),
  missingAccess: () => new DiscordError(403, 50001, 'Missing Access'),
  notAuthor: () => new DiscordError(403, 50005, 'Cannot edit a message authored by another user'),
  emptyMessage: () => new DiscordError(400, 50006, 'Cannot send an empty message'),
  cannotSend: () => new DiscordError(403, 50007, 'Cannot send messages to this user'),
  missingPermissions: () => new DiscordError(403, 50013, 'Missing Permissions'),
  wrongChannelType: () => new DiscordError(400, 50024, 'Cannot execute action on this channel type'),
  invalidToken: () => new DiscordError(401, 50027, 'Invalid Webhook Token'),
  invalidRole: () => new DiscordError(400, 50028, 'Invalid Role'),
  invalidRecipients: () => new DiscordError(400, 50033, 'Invalid Recipient(s)'),
  tooOldToDelete: () => new DiscordError(400, 50034, 'You can only bulk delete messages that are under 14 days old.'),
  invalidBody: (errors: object) => new DiscordError(400, 50035, 'Invalid Form Body', errors),
  invalidVersion: () => new DiscordError(400, 50041, 'Invalid API version'),
  malformed: () => new DiscordError(400, 50109, 'The request body contains invalid JSON.'),
  threadArchived: () => new DiscordError(400, 50083, 'Thread is archived'),
  voiceMessageContent: () => new DiscordError(400, 50160, 'Voice messages do not support additional content.'),
  voiceMessageAttachment: () => new DiscordError(400, 50161, 'Voice messages must have a single audio attachment.'),
  voiceMessageMetadata: () => new DiscordError(400, 50162, 'Voice messages must have supporting metadata.'),
  blockedByAutoMod: () => new DiscordError(400, 200000, 'Message was blocked by automatic moderation'),
  pollExpired: () => new DiscordError(400, 520001, 'Poll expired'),
  pollUnchangeable: () => new DiscordError(400, 520003, 'Cannot edit a poll message'),
  notPoll: () => new DiscordError(400, 520006, 'Cannot expire a non-poll message'),
  threadExists: () => new DiscordError(400, 160004, 'A thread has already been created for this message'),
  threadLocked: () => new DiscordError(400, 160005, 'Thread is locked'),
  unreadableForward: () => new DiscordError(400, 160014, 'Cannot forward a message whose content you cannot read'),
  cannotReply: () => new DiscordError(400, 160002, 'Cannot reply without permission to read message history'),
};
