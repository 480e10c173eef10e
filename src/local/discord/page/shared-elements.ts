// The elements of @skyra/discord-components-core that this page uses; each registers itself.
export { DiscordActionRow } from '@skyra/discord-components-core/discord-action-row.js';
export { DiscordAttachments } from '@skyra/discord-components-core/discord-attachments.js';
export { DiscordButton } from '@skyra/discord-components-core/discord-button.js';
export { DiscordEmbed } from '@skyra/discord-components-core/discord-embed.js';
export { DiscordEmbedDescription } from '@skyra/discord-components-core/discord-embed-description.js';
export { DiscordEmbedField } from '@skyra/discord-components-core/discord-embed-field.js';
export { DiscordEmbedFields } from '@skyra/discord-components-core/discord-embed-fields.js';
export { DiscordEmbedFooter } from '@skyra/discord-components-core/discord-embed-footer.js';
export { DiscordFileAttachment } from '@skyra/discord-components-core/discord-file-attachment.js';
export { DiscordLink } from '@skyra/discord-components-core/discord-link.js';
export { DiscordMention } from '@skyra/discord-components-core/discord-mention.js';
export { DiscordMessage } from '@skyra/discord-components-core/discord-message.js';
export { DiscordMessages } from '@skyra/discord-components-core/discord-messages.js';
export { DiscordSpoiler } from '@skyra/discord-components-core/discord-spoiler.js';
export { DiscordTime } from '@skyra/discord-components-core/discord-time.js';
