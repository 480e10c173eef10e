// Says the links in a text: their own text, their site, or just that there is one.
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';

export interface LinkWords {
  link: string;
  /** Says more than that it is a link. */
  sites?: {
    /** @param site "github.com" */
    linkTo(site: string): string;
    /** What is said for a link to another message in Discord. */
    messageLink: string;
    gif: string;
  };
}

/** Longer names of sites are no help. */
const MAX_SITE = 40;
/** Members choose their GIFs there, in Discord’s own menu. */
const GIF_SITE = /(?:^|\.)(?:tenor|giphy)\.com$|^klipy\.com$/;
const DISCORD = /(?:^|\.)(?:discord|discordapp)\.com$/;

/** Each of these in text order: a link with its own text, a link in angle brackets, a bare one. */
export function replaceLinks(text: string, words: LinkWords): string {
  const spoken = (url: string) => ` ${nameLink(url, words)} `;
  return (
    text
      // A link with its own text is read as that text.
      .replace(/\[([^[\]\n]+)\]\(<?(?:https?|mailto|discord):[^\s)]+(?: "[^"\n]*")?\)/gi, (_, label: string) => label)
      .replace(/<((?:https?|discord):[^\s>]+)>/gi, (_, url: string) => spoken(url))
      // Parentheses belong to an address only in pairs, and the punctuation at its end not at all.
      .replace(/\b(?:https?:\/\/|discord:\/\/|www\.)(?:[^\s<>()]|\([^\s<>()]*\))*(?:[^\s<>().,;:!?'"\]}*_~|]|\([^\s<>()]*\))/gi, spoken)
  );
}

function nameLink(url: string, { link, sites }: LinkWords): string {
  const address = /^www\./i.test(url) ? `https://${url}` : url;
  if (!sites || !URL.canParse(address)) return link;
  const { hostname, pathname, protocol } = new URL(address);
  const site = domainToUnicode(hostname.replace(/^www\./, ''));
  if (protocol === 'discord:' || (DISCORD.test(site) && pathname.startsWith('/channels/'))) return sites.messageLink;
  if (GIF_SITE.test(site) || /\.gif$/i.test(pathname)) return sites.gif;
  return !site.includes('.') || site.length > MAX_SITE || isIP(site) !== 0 ? link : sites.linkTo(site);
}
