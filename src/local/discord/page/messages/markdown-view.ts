// Renders the tree that markdown.ts makes of a text.
import { html, nothing, type TemplateResult } from 'lit';
import { openCommand } from '../composer/draft.ts';
import { customEmojiUrl } from '../emoji.ts';
import { formatDiscordTimestamp } from '../format.ts';
import { showMessage } from '../navigation.ts';
import { channelTitle, currentGuild, displayName, findChannel, findMember, isVoice } from '../state.ts';
import { type Block, type Inline, type ListItem, parseInline, parseMarkdown } from './markdown.ts';

type Drawn = TemplateResult | string | typeof nothing;

/** Lines and shapes that draw a bar: screen readers would name each of them. */
const BAR = /([\u2500-\u257f\u25a0-\u25ff]{4,})/;

/** The server (or @me), the channel and the message, as in the links that Discord copies and bots make. */
const MESSAGE_LINK = /^https:\/\/discord\.com\/channels\/(?:\d+|@me)\/(\d+)\/(\d+)$/;

/** A few emoji alone are enlarged. */
export function markdownView(source: string): Drawn {
  if (source === '') return nothing;
  const blocks = parseMarkdown(source);
  return html`<span class=${isEmojiOnly(source) ? 'markdown jumbo' : 'markdown'}>${blocks.map(blockView)}</span>`;
}

/** For text on one line, such as the title of an embed. */
export function inlineMarkdownView(source: string): Drawn[] {
  return parseInline(source).map(inlineView);
}

function isEmojiOnly(source: string): boolean {
  const bare = source.replace(/<a?:\w{2,32}:\d{5,20}>/g, '😀').replace(/\s/g, '');
  return bare !== '' && bare.length <= 90 && /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)+$/u.test(bare);
}

function blockView(block: Block): Drawn {
  switch (block.kind) {
    case 'paragraph':
      return html`<span class="paragraph">${block.children.map(inlineView)}</span>`;
    case 'heading':
      // All headings have the same level for screen readers, since what another message says is no part of this one's outline.
      return html`<span class="heading level-${block.level}" role="heading" aria-level="3">${block.children.map(inlineView)}</span>`;
    case 'subtext':
      return html`<small class="subtext">${block.children.map(inlineView)}</small>`;
    case 'quote':
      return html`<blockquote>${block.blocks.map(blockView)}</blockquote>`;
    case 'code':
      return html`<pre class="code-block" tabindex="0" aria-label=${block.language ? `Code, ${block.language}` : 'Code'}><code>${block.text}</code></pre>`;
    case 'list': {
      const items = block.items.map(itemView);
      return block.ordered ? html`<ol start=${block.start}>${items}</ol>` : html`<ul>${items}</ul>`;
    }
  }
}

function itemView(item: ListItem): TemplateResult {
  return html`<li>${item.children.map(inlineView)}${item.nested.map(blockView)}</li>`;
}

/** Bars are there for the eye only; what they show, the words around them say. */
function withoutBars(text: string): Drawn {
  // With a group in the pattern, every second part is a bar.
  const parts = text.split(BAR);
  return parts.length === 1
    ? text
    : html`${parts.map((part, at) => (at % 2 === 1 ? html`<span class="bar" aria-hidden="true">${part}</span>` : part))}`;
}

function inlineView(node: Inline): Drawn {
  switch (node.kind) {
    case 'text':
      return withoutBars(node.text);
    case 'break':
      return html`<br>`;
    case 'bold':
      return html`<strong>${node.children.map(inlineView)}</strong>`;
    case 'italic':
      return html`<em>${node.children.map(inlineView)}</em>`;
    case 'underline':
      return html`<u>${node.children.map(inlineView)}</u>`;
    case 'strike':
      return html`<s>${node.children.map(inlineView)}</s>`;
    case 'code':
      return html`<code>${node.text}</code>`;
    case 'spoiler':
      return html`<discord-spoiler role="button" tabindex="0" aria-label="Spoiler, press to show" @click=${reveal} @keydown=${revealByKey}>${node.children.map(inlineView)}</discord-spoiler>`;
    case 'link':
      return linkView(node);
    case 'user':
    case 'role':
      return html`<discord-mention type=${node.kind}>${mentionedName(node)}</discord-mention>`;
    case 'channel':
      return html`<discord-mention type=${isVoice(findChannel(node.id)) ? 'voice' : 'channel'}>${mentionedName(node)}</discord-mention>`;
    case 'everyone':
      return html`<span class="mention">${node.text}</span>`;
    case 'command':
      return html`<button type="button" class="command-name" @click=${() => openCommand(node.name)}>/${node.name}</button>`;
    case 'timestamp':
      return html`<discord-time title=${formatDiscordTimestamp(node.seconds, 'F')}>${
        node.style === 'R'
          ? html`<relative-time .seconds=${node.seconds}></relative-time>`
          : formatDiscordTimestamp(node.seconds, node.style)
      }</discord-time>`;
    case 'emoji':
      return html`<img class="emoji" src=${customEmojiUrl(node.id, node.name)} alt=":${node.name}:" title=":${node.name}:">`;
  }
}

/** As on Discord, a link to a message goes there, and names its channel unless it has a text of its own. */
function linkView({ url, children }: Extract<Inline, { kind: 'link' }>): Drawn {
  const [, channelId = '', messageId = ''] = MESSAGE_LINK.exec(url) ?? [];
  const channel = findChannel(channelId);
  if (!channel) return html`<a href=${url} target="_blank" rel="noreferrer noopener">${children.map(inlineView)}</a>`;
  const [first] = children;
  const isBare = first?.kind === 'text' && first.text === url;
  const go = (event: Event) => {
    event.preventDefault();
    void showMessage(channelId, messageId);
  };
  return html`<a href=${url} @click=${go}>${isBare ? `${channelTitle(channel)} › message` : children.map(inlineView)}</a>`;
}

/** Without the @ or # before it. */
export function mentionedName({ kind, id }: Extract<Inline, { kind: 'user' | 'role' | 'channel' }>): string {
  switch (kind) {
    case 'user': {
      const member = findMember(id);
      return member ? displayName(member.user) : 'unknown-user';
    }
    case 'role':
      return currentGuild()?.roles.find((role) => role.id === id)?.name ?? 'unknown-role';
    case 'channel':
      return findChannel(id)?.name ?? 'unknown';
  }
}

function reveal(event: Event): void {
  const spoiler = event.currentTarget as HTMLElement & { activated: boolean };
  spoiler.activated = true;
  spoiler.removeAttribute('aria-label');
  spoiler.removeAttribute('role');
}

function revealByKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  event.preventDefault();
  reveal(event);
}
