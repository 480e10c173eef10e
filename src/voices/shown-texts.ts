// Reads the texts of a message of cards: what its buttons need is in them.
import { type APIMessageTopLevelComponent, ComponentType } from 'discord.js';

/** In order, those in sections included; none if the message has no cards. */
export function textsOf({ components }: { components: readonly { toJSON(): unknown }[] }): string[] {
  return components.flatMap((one) => textsIn(one.toJSON() as APIMessageTopLevelComponent));
}

function textsIn(part: APIMessageTopLevelComponent): string[] {
  if (part.type === ComponentType.TextDisplay) return [part.content];
  if (part.type === ComponentType.Container || part.type === ComponentType.Section) return part.components.flatMap(textsIn);
  return [];
}
