// Walks through the components of a message or modal, which contain each other.
import { ComponentType } from 'discord-api-types/v10';
import type { JsonObject } from '../validator.ts';

/** A component, and where it is: `components.0.accessory`. */
interface Place {
  path: string;
  component: JsonObject;
}

/** All components, each before those it contains. A body that is not validated yet may hold anything. */
export function flattenWithPaths(components: unknown, path = 'components'): Place[] {
  if (!Array.isArray(components)) return [];
  return components.flatMap((component, index) => flattenPlace(component, `${path}.${index}`));
}

function flattenPlace(component: unknown, path: string): Place[] {
  if (typeof component !== 'object' || component === null) return [];
  const { components, accessory, component: labelled } = component as JsonObject;
  return [
    { path, component },
    ...flattenWithPaths(components, `${path}.components`),
    ...flattenPlace(accessory, `${path}.accessory`),
    ...flattenPlace(labelled, `${path}.component`),
  ];
}

/** All components, each before those it contains. */
export function flattenComponents(components: unknown): JsonObject[] {
  return flattenWithPaths(components).map(({ component }) => component);
}

/** The words in text displays. */
export function textsOf(components: unknown): string[] {
  return flattenComponents(components).flatMap(({ type, content }) =>
    type === ComponentType.TextDisplay && typeof content === 'string' ? [content] : [],
  );
}
