// The words of a message, wherever they are: its content, or the text displays of its layout.
import { type APIMessage, ComponentType } from 'discord-api-types/v10';

/** Markdown; paragraphs of a layout are on lines of their own. */
export function textOf({ content, components = [] }: Pick<APIMessage, 'content' | 'components'>): string {
  return [content, ...components.flatMap(textsOf)].filter(Boolean).join('\n');
}

function textsOf(component: { type: ComponentType; content?: string; components?: object[] }): string[] {
  if (component.type === ComponentType.TextDisplay) return [component.content ?? ''];
  return (component.components ?? []).flatMap((child) => textsOf(child as never));
}
