// The elements of @skyra/discord-components-core that the page uses; importing one registers it.
import '@skyra/discord-components-core/discord-action-row.js';
import '@skyra/discord-components-core/discord-attachments.js';
import '@skyra/discord-components-core/discord-embed-description.js';
import '@skyra/discord-components-core/discord-embed-fields.js';
import '@skyra/discord-components-core/discord-messages.js';
import { DiscordMessage } from '@skyra/discord-components-core/discord-message.js';

export { DiscordAuthorInfo } from '@skyra/discord-components-core/discord-author-info.js';
export { DiscordButton } from '@skyra/discord-components-core/discord-button.js';
export { DiscordEmbed } from '@skyra/discord-components-core/discord-embed.js';
export { DiscordEmbedField } from '@skyra/discord-components-core/discord-embed-field.js';
export { DiscordEmbedFooter } from '@skyra/discord-components-core/discord-embed-footer.js';
export { DiscordFileAttachment } from '@skyra/discord-components-core/discord-file-attachment.js';
export { DiscordLink } from '@skyra/discord-components-core/discord-link.js';
export { DiscordMention } from '@skyra/discord-components-core/discord-mention.js';
export { DiscordSpoiler } from '@skyra/discord-components-core/discord-spoiler.js';
export { DiscordTime } from '@skyra/discord-components-core/discord-time.js';
export { DiscordMessage };

// The article's name says who wrote and when: in the shadow tree, screen readers would hear it again.
DiscordMessage.addInitializer((message) =>
  (message as DiscordMessage).addController({
    hostUpdated() {
      const header = (message as DiscordMessage).renderRoot.querySelectorAll('.discord-author-avatar, discord-author-info, time');
      for (const part of header) part.setAttribute('aria-hidden', 'true');
    },
  }),
);
